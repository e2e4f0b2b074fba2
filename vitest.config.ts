import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: 'test/support/cluster.ts',
    pool: 'forks',
    // Each file talks to a server and a database beside it: one worker a core keeps two cores busy.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
  // Without these conditions vitest loads graphql twice, once as a CommonJS module.
  ssr: { resolve: { conditions: ['module-sync', 'node'] } },
})
