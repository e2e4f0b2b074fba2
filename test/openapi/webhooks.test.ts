import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { eventTypeNames, eventTypes } from '../../schema/events/event-types.ts'
import { eventData } from '../../schema/events/event-data.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import { settled } from '../support/data/settled.ts'
import { createValidator } from '../support/http/contract.ts'
import { request } from '../support/http/request.ts'
import { useService } from '../support/service/service.ts'

const document = openApiDocument({ publicUrl: 'https://account.acme.test' })
const { webhooks, components } = document
const validate = createValidator(document)
const bodyOf = (type: keyof typeof webhooks) => webhooks[type].post.requestBody.content['application/json']

test('the document has a webhook for each type of event of the catalogue', () => {
  expect(Object.keys(webhooks)).toEqual(eventTypeNames)
})

describe.each(eventTypeNames)('the webhook %s', (type) => {
  test('has an example of its body, with exactly the members of its type', () => {
    const { schema, example } = bodyOf(type)
    expect(validate(schema, example)).toBeNull()
    expect(example).toMatchObject({ type })
    expect(eventData[eventTypes[type].subject].strict().safeParse(Object(example).data).success).toBe(true)
    for (const name of ['id', 'type', 'occurred_at', 'team', 'sequence', 'actor', 'data']) {
      const { [name]: _, ...incomplete } = Object(example)
      expect(validate(schema, incomplete)).not.toBeNull()
    }
    expect(validate(schema, { ...Object(example), type: 'other' })).not.toBeNull()
  })

  test('has the header fields of Standard Webhooks and succeeds with any 2xx', () => {
    const { parameters, responses } = webhooks[type].post
    const declared = parameters.map(({ $ref }) => components.parameters[$ref.split('/').at(-1) ?? ''])
    expect(declared.map((parameter) => [parameter?.name, parameter?.in, parameter?.required])).toEqual(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, 'header', true]),
    )
    for (const parameter of declared) expect(parameter && validate(parameter.schema, parameter.example)).toBeNull()
    expect(Object.keys(responses)).toContain('2XX')
  })
})

const service = useService()

test('an event of the feed matches the webhook of its type, and of no other', async () => {
  const { team, token } = await createOwnedTeam(service.database)
  await request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token, body: { name: 'Other' } })
  await settled(service.database.pool)
  const { body } = await request(service, 'GET', `/api/v1/teams/${team.slug}/events`, { token })
  const [event] = body.data
  expect(eventTypeNames.filter((type) => validate(bodyOf(type).schema, event) === null)).toEqual(['team.updated'])
})
