import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import { createOwnedTeam, personalToken, teamToken } from '../../support/data/team.ts'
import { settled } from '../../support/data/settled.ts'
import { request } from '../../support/http/request.ts'
import { childEnvironment } from '../../support/processes/child-environment.ts'
import { closeAtEnd, createPipe, fillPipe } from '../../support/processes/pipe.ts'
import { exitStatusOf } from '../../support/processes/exit-status.ts'
import { runCli } from '../../support/service/cli.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'

const service = useService()
const { database } = service
const rename = (slug: string, token: string, name: string) => request(service, 'PATCH', `/api/v1/teams/${slug}`, { token, body: { name } })

/** Starts the program with a token alone: without database and settings. */
const listen = (token: string, ...args: string[]) => listenWithOutput('pipe', token, args)

function listenWithOutput(stdout: 'pipe' | number, token: string, args: readonly string[]) {
  const child = spawn(process.execPath, [path.join(projectFolder, 'dist', 'cli.js'), 'webhook', 'listen', ...args], {
    env: childEnvironment({ TEAM_ACCOUNT_TOKEN: token }),
    stdio: ['ignore', stdout, 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const ended = exitStatusOf(child)
  return {
    output,
    waits: () => waitFor(() => (child.exitCode === null ? output.stderr.includes('Waiting for events') : expect.fail(output.stderr))),
    async lines(count: number) {
      await waitFor(() => output.stdout.split('\n').length > count)
      return output.stdout.trimEnd().split('\n')
    },
    async end() {
      child.kill('SIGINT')
      return ended
    },
  }
}

/** Starts a server until the test ends and returns its URL. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

describe('webhook listen', () => {
  test('forwards what happens from now on, signed as deliveries are, goes on after errors, and ends with Ctrl-C', async () => {
    const { team, token } = await createOwnedTeam(database)
    await rename(team.slug, token, 'Before')
    await settled(database.pool)
    const receiver = await startReceiver((response, { event }) =>
      response.writeHead(JSON.stringify(event.data).includes('"after":"Refused"') ? 500 : 204).end(),
    )
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const limited = await teamToken(database, team, { scopes: ['acct:team:events:read', 'acct:team:read'] })
    const listener = listen(limited, '--url', service.url, '--team', team.slug, '--forward', receiver.url, '--secret', secret)
    await listener.waits()
    for (const name of ['Refused', 'After']) await rename(team.slug, token, name)
    const [first, refused, delivered] = await listener.lines(3)
    expect(first).toBe(`Signing secret: ${secret}`)
    expect([refused, delivered]).toEqual(
      [500, 204].map((status) => expect.stringMatching(new RegExp(`Z  team\\.updated  \\S{36}  ${status}  \\d+ ms$`))),
    )
    const { body } = await request(service, 'GET', `/api/v1/teams/${team.slug}/events`, { token })
    expect(receiver.received.map(({ event }) => event)).toEqual(body.data.slice(-2))
    for (const { headers, body: text } of receiver.received) {
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': expect.stringMatching(/^team-account-service\/\d/),
      })
      new StandardWebhook(secret).verify(text, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])))
    }
    expect(await listener.end()).toBe(0)
    expect(listener.output.stderr).toBe(`Waiting for events of ${team.slug}. End with Ctrl-C.\n`)
  })

  test('ends with Ctrl-C while nobody reads its output', async () => {
    const { team, token } = await createOwnedTeam(database)
    const { output, reader } = createPipe()
    closeAtEnd(reader)
    const receiver = await startReceiver()
    const listener = listenWithOutput(output, token, ['--url', service.url, '--team', team.slug, '--forward', receiver.url])
    await listener.waits()
    fillPipe(output)
    await rename(team.slug, token, 'Printed')
    await waitFor(() => receiver.received.length === 1)
    await rename(team.slug, token, 'Waiting')
    expect(await listener.end()).toBe(0)
  })

  test('begins at a time, forwards wanted types only, and prints JSON', async () => {
    const { team, token } = await createOwnedTeam(database)
    await rename(team.slug, token, 'Old')
    service.clock.advance(1000)
    const since = service.clock.now().toISOString()
    const body = { email: 'new@example.com', role: 'member' }
    await rename(team.slug, token, 'New')
    await request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, { token, body })
    await settled(database.pool)
    const receiver = await startReceiver()
    const listener = listen(
      token,
      '--url',
      service.url,
      '--team',
      team.slug,
      '--forward',
      receiver.url,
      '--since',
      since,
      '--types',
      'team.updated',
      '--json',
    )
    await listener.waits()
    const [about, event, ...others] = (await listener.lines(2)).map((line) => JSON.parse(line))
    expect(about).toEqual({ team: team.slug, forward: receiver.url, secret: expect.stringMatching(/^whsec_/) })
    const id = expect.any(String)
    expect(event).toEqual({ id, type: 'team.updated', status: 204, latency_milliseconds: expect.any(Number), error: null })
    expect(others).toEqual([])
    expect(receiver.received.map(({ event: { data } }) => data)).toEqual([{ changes: { name: { before: 'Old', after: 'New' } } }])
    expect(await listener.end()).toBe(0)
  })

  test('continues after the service was unavailable, and names the events that the endpoint did not accept', async () => {
    const { team, token } = await createOwnedTeam(database)
    let isDown = false
    const url = await serve((message, response) => {
      if (isDown) return void message.socket.destroy()
      const headers = { authorization: message.headers.authorization ?? '' }
      void fetch(`${service.url}${message.url}`, { headers }).then(async (answer) => response.end(await answer.text()))
    })
    const listener = listen(token, '--url', url, '--team', team.slug, '--forward', 'http://127.0.0.1:1/')
    await listener.waits()
    isDown = true
    await waitFor(() => listener.output.stderr.includes('cannot be reached'))
    await rename(team.slug, token, 'Meanwhile')
    isDown = false
    const [, line] = await listener.lines(2)
    expect(line).toMatch(/ team\.updated {2}\S{36} {2}.+ {2}\d+ ms$/)
    expect(listener.output.stderr).toMatch(/cannot be reached: .*; trying again\nconnected again\n$/)
    expect(await listener.end()).toBe(0)
  })

  test('ends with an error that says what is wrong', async () => {
    const [{ team, token, owner }, other] = [await createOwnedTeam(database), await createOwnedTeam(database)]
    const withoutScope = await personalToken(database, owner, { scopes: ['acct:team:read'] })
    const forward = ['--forward', 'http://localhost:4000/hook']
    const refuse = async (value: string, ...args: string[]) => {
      const { status, stderr } = await runCli(value ? { TEAM_ACCOUNT_TOKEN: value } : {}, [
        'webhook',
        'listen',
        '--url',
        service.url,
        ...args,
      ])
      return [status, stderr]
    }
    const own = ['--team', team.slug]
    const contains = (text: string) => expect.stringContaining(text)
    expect(await refuse('', ...own, ...forward)).toEqual([2, contains('the environment variable TEAM_ACCOUNT_TOKEN is required')])
    expect(await refuse(token, ...own, '--forward', 'localhost:4000')).toEqual([2, contains('--forward must be an http or https URL')])
    expect(await refuse(token, ...own, ...forward, '--secret', 'whsec_x')).toEqual([
      2,
      contains('--secret must be whsec_ and 24 to 64 bytes'),
    ])
    expect(await refuse(token, ...own, ...forward, '--types', 'team.update')).toEqual([2, contains('did you mean team.updated?')])
    expect(await refuse(`${token}x`, ...own, ...forward)).toEqual([1, 'the token of TEAM_ACCOUNT_TOKEN is not valid\n'])
    expect(await refuse(withoutScope, ...own, ...forward)).toEqual([1, 'the token needs the scope acct:team:events:read\n'])
    expect(await refuse(token, '--team', other.team.slug, ...forward)).toEqual([
      1,
      `there is no team ${other.team.slug} that the token may access\n`,
    ])
    const elsewhere = async (url: string) =>
      (await runCli({ TEAM_ACCOUNT_TOKEN: token }, ['webhook', 'listen', ...own, ...forward, '--url', url])).stderr
    expect(await elsewhere('http://127.0.0.1:1')).toMatch(/^http:\/\/127\.0\.0\.1:1 cannot be reached: /)
    const url = await serve((_, response) => response.end('hello'))
    expect(await elsewhere(url)).toMatch(/ is not the address of this service: it responds with 200\n$/)
  })
})
