import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/tokens.css';
import './ui/global.css';
import { z } from 'zod';
import { App } from './app/App.tsx';

// Without this zod would try to compile with `new Function`, which the content security policy refuses.
z.config({ jitless: true });

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
