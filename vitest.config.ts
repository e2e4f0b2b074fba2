import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: ['test/support/service/build.ts', 'test/support/service/global-setup.ts'],
    setupFiles: ['test/support/service/every-file.ts'],
    pool: 'forks',
    // One more than the cores that the time limit of the suite assumes: many tests wait for processes and timeouts.
    maxWorkers: 3,
    // Modules are loaded once per worker. Loading them for every file takes a quarter of the time of the suite.
    isolate: false,
    // Far longer than any test takes alone: on a busy machine a test may be late, and only one that hangs fails.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { interval: 50, timeout: 40_000 } },
  },
  // Without these conditions vitest loads graphql twice, once as a CommonJS module.
  ssr: { resolve: { conditions: ['module-sync', 'node'] } },
})
