import { afterAll, describe, expect, test } from 'vitest'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { createOwnedTeam } from '../support/data/team.ts'
import { executeAs, operator } from '../support/service/in-process.ts'
import { request } from '../support/http/request.ts'
import { useService } from '../support/service/service.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { createWebhook, deliveriesOf } from '../support/webhooks/webhook.ts'

const service = useService()
const { database } = service
const deliveries = deliveriesOf(service)
afterAll(() => deliveries.close())

/** Changes the name of a team, which is an event. */
const rename = (slug: string, token: string, name: string) => request(service, 'PATCH', `/api/v1/teams/${slug}`, { token, body: { name } })

const headersOf = (headers: object = {}) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

describe('a webhook', () => {
  test('receives what happens after its creation, as the feed shows it', async () => {
    const { team, token } = await createOwnedTeam(database)
    await rename(team.slug, token, 'Before')
    const receiver = await startReceiver()
    await createWebhook(service, team, receiver.url)
    await rename(team.slug, token, 'After')
    await deliveries.deliver()
    expect(receiver.received).toHaveLength(1)
    const [delivery] = receiver.received
    const { body } = await request(service, 'GET', `/api/v1/teams/${team.slug}/events`, { token })
    expect(delivery?.event).toEqual(body.data.at(-1))
    expect(delivery?.event).toMatchObject({ type: 'team.updated', data: { changes: { name: { before: 'Before', after: 'After' } } } })
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^team-account-service\/\d/),
    })
    await deliveries.deliver()
    expect(receiver.received).toHaveLength(1)
  })

  test('is verified by the libraries of others, also with the previous secret while it lives', async () => {
    const { team, token } = await createOwnedTeam(database)
    const receiver = await startReceiver()
    const { id, secret } = await createWebhook(service, team, receiver.url)
    const verify = (key: string) => {
      const { headers, body } = receiver.received.at(-1) ?? {}
      for (const library of [new StandardWebhook(key), new SvixWebhook(key)]) library.verify(body ?? '', headersOf(headers))
    }
    await rename(team.slug, token, 'One')
    await deliveries.deliver()
    verify(secret)
    const rotate = 'mutation ($id: ID!) { rotateWebhookSecret(input: { id: $id, overlapSeconds: 3600 }) { secret } }'
    const { data } = await executeAs(service, operator, rotate, { id })
    await rename(team.slug, token, 'Two')
    await deliveries.deliver()
    verify(secret)
    verify(data.rotateWebhookSecret.secret)
    expect(() => verify(`whsec_${Buffer.alloc(24).toString('base64')}`)).toThrow('No matching signature found')
  })

  test('receives only the types that it wants, and those of all teams if it is the operator’s', async () => {
    const [one, two] = [await createOwnedTeam(database), await createOwnedTeam(database)]
    const [tokens, all] = [await startReceiver(), await startReceiver()]
    await createWebhook(service, one.team, tokens.url, ['token.revoked'])
    const { id } = await createWebhook(service, null, all.url)
    for (const { team, token } of [one, two]) await rename(team.slug, token, 'New')
    await deliveries.deliver()
    expect(tokens.received).toEqual([])
    expect(all.received.map(({ event }) => event.type)).toEqual(['team.updated', 'team.updated'])
    expect(new Set(all.received.map(({ event }) => event.team))).toEqual(new Set([one.team.slug, two.team.slug]))
    await executeAs(service, operator, 'mutation ($id: ID!) { deleteWebhook(input: { id: $id }) { webhook { url } } }', { id })
  })
})
