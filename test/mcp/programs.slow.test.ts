import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, request as sendRequest } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import { listenAtFreePort } from '../support/oauth/listen.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const folder = path.join(projectFolder, 'mcp-programs', 'node_modules')
// `npm ci` in `mcp-programs` installs them. They have more packages than the rest of the tests.
const areInstalled = existsSync(folder)

const run = async (program: string, ...options: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, program), ...options], { timeout: 60_000 })
  return stdout
}

/** Starts a proxy that adds a token to each request, for a program that cannot send one. Returns its URL. */
async function startProxy(token: string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method = '', url = '' } = incoming
    // A browser would send its own host, which the scenario about DNS rebinding replaces.
    const isOwnHost = /^(localhost|127\.0\.0\.1)(:|$)/.test(incoming.headers.host ?? '')
    const headers = { ...incoming.headers, authorization: `Bearer ${token}`, ...(isOwnHost && { host: new URL(service.url).host }) }
    const forwarded = sendRequest(new URL(url, service.url), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  })
  const url = await listenAtFreePort(proxy)
  onTestFinished(() => void proxy.close())
  return url
}

// The other scenarios need tools, resources, prompts, streams or questions of the tested server, which this server does not have. So do the
// checks in the last column.
const scenarios: [scenario: string, version: string, failing: string[]][] = [
  ['server-initialize', '2025-11-25', []],
  ['ping', '2025-11-25', []],
  ['tools-list', '2025-11-25', []],
  ['tools-list', '2026-07-28', []],
  [
    'server-stateless',
    '2026-07-28',
    [
      'ServerRejectsUndeclaredCapability',
      'MissingCapabilityHttp400',
      'HttpServerNoIndependentRequestsOnStream',
      'ServerNoLogWithoutLogLevel',
    ],
  ],
  ['caching', '2026-07-28', ['PromptsListCachingHints', 'ResourcesListCachingHints', 'ResourcesTemplatesListCachingHints']],
  ['http-header-validation', '2026-07-28', []],
  ['dns-rebinding-protection', '2025-11-25', []],
  ['dns-rebinding-protection', '2026-07-28', []],
]

describe.runIf(areInstalled)('the conformance suite of the protocol', () => {
  test.each(scenarios)('passes %s of %s', async (scenario, version, failing) => {
    const { token } = await createOwnedTeam(service.database)
    const url = `${await startProxy(token)}/mcp`
    const options = ['server', '--url', url, '--scenario', scenario, '--spec-version', version]
    // The program ends with 1 if a check fails.
    const printed = await run('@modelcontextprotocol/conformance/dist/index.js', ...options).catch(
      (error: { stdout?: string }) => error.stdout,
    )
    expect(printed).toMatch(/Passed: [1-9]\d*\/\d+/)
    const [, failed = ''] = printed?.split('=== Failed Checks ===') ?? []
    expect([...failed.matchAll(/^ {2}- (\w+): /gm)].map(([, name]) => name)).toEqual(failing)
  })
})

test.runIf(areInstalled)('the command line of the Inspector lists the tools and calls one', async () => {
  const { team, token } = await createOwnedTeam(service.database)
  const inspect = async (...options: string[]) => {
    const connection = ['--cli', `${service.url}/mcp/readonly`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]
    return JSON.parse(await run('.bin/mcp-inspector', ...connection, ...options))
  }
  expect((await inspect('--method', 'tools/list')).tools).toContainEqual(expect.objectContaining({ name: 'list_members' }))
  const call = ['--method', 'tools/call', '--tool-name', 'get_team', '--tool-arg', `team_slug=${team.slug}`]
  expect(await inspect(...call)).toMatchObject({ structuredContent: { slug: team.slug, name: 'Acme' } })
})
