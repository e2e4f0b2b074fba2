import { expect, test } from 'vitest'
import { createDirectory } from '../support/scim/directory.ts'
import { entra } from '../support/scim/entra.ts'
import { okta } from '../support/scim/okta.ts'
import { useService } from '../support/service/service.ts'

const service = useService()

test.each([
  ['Entra ID', entra],
  ['Okta', okta],
])('%s gets the answers that it depends on', async (_, dialogue) => {
  const { domain, send } = await createDirectory(service)
  const kept: Record<string, string> = { domain }
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => kept[name] ?? whole)
  for (const { request, status, answer, keep } of dialogue) {
    const [method, path, body] = request
    const [start = '', query] = filled(path).split('?')
    const sent = query === undefined ? start : `${start}?${new URLSearchParams(query)}`
    const received = await send(method, sent, body === undefined ? undefined : filled(JSON.stringify(body)))
    expect([method, path, received.status, received.body?.detail]).toEqual([method, path, status, undefined])
    if (answer) expect(received.body).toMatchObject(JSON.parse(filled(JSON.stringify(answer))))
    if (keep !== undefined) kept[keep] = received.body.id
  }
})
