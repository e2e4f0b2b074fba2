import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { samplesFolder } from '../../../rest-facade/openapi/samples.ts'
import { signatureHeaders } from '../../../schema/webhooks/secret.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { reservePort } from '../../support/processes/port.ts'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { waitFor } from '../../support/service/wait.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'
import { createWebhook, deliveriesOf } from '../../support/webhooks/webhook.ts'

const service = useService()
const { database } = service
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())

/** How each program is started, and what the command needs on this machine. */
const commands = {
  'receiver.mjs': ['node', () => []],
  'receiver.py': ['python3', () => []],
  'receiver.php': ['php', (port: number) => ['-S', `127.0.0.1:${port}`]],
  'receiver.go': ['go', () => ['run']],
} as const

const isInstalled = (command: string) => spawnSync(command, [command === 'go' ? 'version' : '--version']).status === 0

/** Starts a program with a secret. Returns its URL when it accepts connections. */
async function startSample(file: keyof typeof commands, secret: string): Promise<string> {
  const { port, release } = reservePort()
  release()
  const [command, options] = commands[file]
  const process = spawn(command, [...options(port), path.join(samplesFolder, file)], {
    env: { ...globalThis.process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: 'ignore',
    // `go run` starts the program as a process of its own: both are ended by their group.
    detached: true,
  })
  onTestFinished(() => void globalThis.process.kill(-(process.pid ?? 0)))
  const url = `http://127.0.0.1:${port}/hook`
  await waitFor(() =>
    fetch(url, { method: 'POST', body: '{}' }).then(
      () => true,
      () => false,
    ),
  )
  return url
}

describe.each(Object.keys(commands) as (keyof typeof commands)[])('the program %s', (file) => {
  test.skipIf(!isInstalled(commands[file][0]))(
    'accepts what is signed, also with the previous secret, and refuses everything else',
    { timeout: 120_000 },
    async () => {
      const { team, token } = await createOwnedTeam(database)
      const captured = await startReceiver()
      const { id, secret } = await createWebhook(service, team, captured.url)
      const url = await startSample(file, secret)
      await executeAs(
        service,
        operator,
        'mutation ($id: ID!, $url: String!) { updateWebhook(input: { id: $id, url: $url }) { errors { code } } }',
        { id, url },
      )
      const deliver = async (name: string) => {
        await request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token, body: { name } })
        await deliveries.deliver()
        const { result, status } = await database.prisma.webhookDelivery.findFirstOrThrow({
          where: { webhookId: id },
          orderBy: { at: 'desc' },
        })
        return [result, status]
      }
      expect(await deliver('Ünïcode 🙂')).toEqual(['delivered', 204])
      const rotate = (overlap: number) =>
        executeAs(
          service,
          operator,
          `mutation ($id: ID!) { rotateWebhookSecret(input: { id: $id, overlapSeconds: ${overlap} }) { errors { code } } }`,
          { id },
        )
      await rotate(3600)
      expect(await deliver('Two secrets')).toEqual(['delivered', 204])
      await rotate(0)
      expect(await deliver('Another secret')).toEqual(['failed', 400])

      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      const body = '{"id":"1","type":"team.updated"}'
      const send = async (headers: Record<string, string>, sent = body) =>
        (await fetch(url, { method: 'POST', headers, body: sent })).status
      const signedAt = (secondsAgo: number, keys = [key]) => signatureHeaders(keys, '1', new Date(Date.now() - secondsAgo * 1000), body)
      const signed = signedAt(0)
      expect([await send(signed), await send(signedAt(290)), await send(signedAt(0, [Buffer.alloc(24), key]))]).toEqual([204, 204, 204])
      const { 'webhook-signature': signature } = signed
      const refused = [
        await send(signedAt(310)),
        await send(signedAt(-310)),
        await send(signed, body.replace('team', 'Team')),
        await send({ ...signed, 'webhook-id': '2' }),
        await send({ ...signed, 'webhook-timestamp': 'x' }),
        await send({ ...signed, 'webhook-signature': signature.replace('v1', 'v2') }),
        await send({ ...signed, 'webhook-signature': signature.slice(0, -4) }),
        await send({ ...signed, 'webhook-signature': '' }),
        await send({}),
      ]
      expect(refused).toEqual(refused.map(() => 400))
    },
  )
})
