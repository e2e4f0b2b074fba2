import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isInstalled } from '../support/deploy/proxy.ts'
import { isFull } from '../support/service/full.ts'

const folder = 'deploy/postgresql'
const haproxy = { program: 'haproxy' }

test.runIf(isFull && isInstalled(haproxy))('HAProxy accepts its configuration', () => {
  expect(String(execFileSync(haproxy.program, ['-c', '-f', `${folder}/haproxy.cfg`]))).toContain('valid')
})

test('the configuration of Patroni keeps its rule for times, and acknowledges a change on two servers', () => {
  const { dcs } = parse(readFileSync(`${folder}/patroni.yml`, 'utf8')).bootstrap
  expect(dcs.loop_wait + 2 * dcs.retry_timeout).toBeLessThanOrEqual(dcs.ttl)
  expect(dcs).toMatchObject({ ttl: 20, synchronous_mode: true, synchronous_mode_strict: true, maximum_lag_on_failover: 0 })
})
