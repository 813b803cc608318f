import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '{main,shared,scripts,bench,preload}/**/*.test.ts',
      'assets/sample-server/**/*.test.ts',
      'renderer/**/*.test.{ts,tsx}',
      'e2e/faults/*.test.ts',
    ],
    pool: 'forks',
    // Integration tests start real servers: more at once than this, and they wait for each other.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
