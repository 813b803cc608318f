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
    // The authorization server of the tests warns that it is one for tests.
    onConsoleLog: text => !text.startsWith('oidc-provider'),
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
