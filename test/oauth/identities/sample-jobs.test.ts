import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sampleJob } from '../../../schema/workload-identities/sample-jobs.ts'
import { useCiIssuers } from '../../support/identities/ci-issuer.ts'
import { createJob } from '../../support/identities/job.ts'
import { useService } from '../../support/service/service.ts'

// Runs the commands of the jobs that the pages and the guide show.

const service = useService()
const issuers = useCiIssuers()
const run = promisify(execFile)
const conditions = [
  { claim: 'repository_id', value: '74' },
  { claim: 'environment', value: 'production' },
  { claim: 'ref', value: 'refs/heads/main' },
]

/** The commands of a block in YAML, without its indent. */
function commandsIn(yaml: string, begin: string): string {
  const lines = yaml
    .slice(yaml.indexOf(begin) + begin.length)
    .split('\n')
    .slice(1)
  const indent = /^ */.exec(lines[0] ?? '')?.[0] ?? ''
  const end = lines.findIndex((line) => !line.startsWith(indent))
  return lines
    .slice(0, end === -1 ? undefined : end)
    .map((line) => line.slice(indent.length))
    .join('\n')
}

/** The endpoint from which a job of GitHub asks for its ID token. */
async function startIdTokens(sign: (audience: string) => Promise<string>): Promise<string> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (request.headers.authorization !== 'Bearer job') return void response.writeHead(401).end()
    void sign(searchParams.get('audience') ?? '').then((value) => response.end(JSON.stringify({ count: 1, value })))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?api-version=2.0`
}

describe('the sample job', () => {
  test('of GitHub Actions gets a token and calls the API', async () => {
    const job = await createJob(service, issuers)
    const { code, file } = sampleJob(job.issuer.url, { authUrl: service.url, id: job.id, conditions })
    expect([file, code.includes('environment: production'), code.includes('branches: [main]')]).toEqual([
      '.github/workflows/call-api.yml',
      true,
      true,
    ])
    const folder = await mkdtemp(path.join(tmpdir(), 'job-'))
    const GITHUB_ENV = path.join(folder, 'env')
    const env = {
      ...process.env,
      GITHUB_ENV,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job',
      ACTIONS_ID_TOKEN_REQUEST_URL: await startIdTokens((aud) => job.issuer.sign(job.claims({ aud }))),
    }
    const { stdout: masked } = await run('bash', ['-e', '-c', commandsIn(code, 'run: |')], { env })
    const TOKEN = /^TOKEN=([\w-]{44})$/m.exec(await readFile(GITHUB_ENV, 'utf8'))?.[1] ?? ''
    expect(masked).toBe(`::add-mask::${TOKEN}\n`)
    const { stdout } = await run('bash', ['-e', '-c', /run: (curl .*)/.exec(code)?.[1] ?? ''], { env: { ...env, TOKEN } })
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'workload_identity', team: job.team.slug })
  })

  test.each([
    ['GitLab CI', 'https://gitlab.com', [{ claim: 'project_id', value: '20' }], (code: string) => commandsIn(code, '- |')],
    ['another provider', 'https://ci.example.com', [], (code: string) => code],
  ])('of %s gets a token and calls the API', async (_, issuer, claims, commandsOf) => {
    const job = await createJob(service, issuers)
    const { code } = sampleJob(issuer, { authUrl: service.url, id: job.id, conditions: claims })
    const env = { ...process.env, ID_TOKEN: await job.issuer.sign(job.claims()) }
    const { stdout } = await run('bash', ['-e', '-c', commandsOf(code)], { env })
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'workload_identity', team: job.team.slug })
  })
})
