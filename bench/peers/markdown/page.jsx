// A growing answer shown by one of the peers, which gets the whole text once per frame, in a list that scrolls.
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Streamdown } from 'streamdown';

const plugins = [remarkGfm];

const peers = {
  'react-markdown': ({ text }) => <ReactMarkdown remarkPlugins={plugins}>{text}</ReactMarkdown>,
  streamdown: ({ text }) => <Streamdown isAnimating>{text}</Streamdown>,
};

function Answer({ Peer }) {
  const text = useTextPerFrame();
  const scroller = useRef(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves with the text
  useEffect(() => {
    scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [text]);
  return (
    <div ref={scroller} style={{ height: '90vh', overflow: 'auto' }}>
      <div id="answer">
        <Peer text={text} />
      </div>
    </div>
  );
}

function useTextPerFrame() {
  const [text, setText] = useState('');
  useEffect(() => {
    let whole = '';
    let asked = false;
    window.bench.onText(part => {
      whole += part;
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        setText(whole);
      });
    });
  }, []);
  return text;
}

createRoot(document.getElementById('root')).render(<Answer Peer={peers[location.hash.slice(1)]} />);
