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
  expect(messages.map(({ subject }) => subject)).toEqual(Array.from({ length: 2 }, () => 'Acme: ownership transferred to Ada'))
  const [toMember, toOwner] = messages.map(({ text }) => text)
  expect(toMember).toContain('Ada transferred the ownership of the team “Acme” to you. The role of Ada is now billing.')
  expect(toOwner).toContain('You transferred the ownership of the team “Acme” to Ada. Your role is now billing.')
})
