import { expect, test } from 'vitest'
import { brand } from '../../support/mail/brand.ts'
import { createCompose } from '../../../src/mail/mails.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { executeAs } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService()
const { database, mails, clock, url: authUrl } = service
const compose = createCompose({ database, now: clock.now, deriveSecret: secretDeriver(secretKey), authUrl, brand })

test('a transfer of ownership is announced to both, and each mail says who did it', async () => {
  const context = await createScenarioContext(service)
  const { document, prepare } = scenarios['transferOwnership'] ?? { document: '', prepare: () => expect.unreachable() }
  const { principal, variables } = await prepare(context)
  await executeAs(service, principal, document, variables)
  const composed = await Promise.all(mails.map((mail) => compose(mail)))
  const messages = composed.flatMap((each) => ('message' in each ? [each.message] : []))
  expect(messages.map(({ to }) => to)).toEqual([context.member.email, context.owner.email])
  for (const { text } of messages) expect(text).toContain('is a billing member.')
  expect(messages.map(({ text }) => text.includes(', by Ada.'))).toEqual([true, false])
})
