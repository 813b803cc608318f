import { LoaderCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';

const STEPS = 8;
const STEP_MS = 150;

/**
 * A wheel that turns step by step while something runs. An animation of the browser would have the whole window make
 * 60 frames a second for it, and a letter that is typed would wait for the next one.
 */
export function Spinner({ size, className }: { size: number; className?: string | undefined }) {
  const wheel = useRef<SVGSVGElement>(null);
  useEffect(() => {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    let step = 0;
    const timer = setInterval(() => {
      step = (step + 1) % STEPS;
      if (wheel.current) wheel.current.style.rotate = `${step / STEPS}turn`;
    }, STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return <LoaderCircle ref={wheel} size={size} className={className} aria-hidden="true" />;
}
