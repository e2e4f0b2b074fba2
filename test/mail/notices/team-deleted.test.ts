import { expect, test } from 'vitest'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useMailingService } from '../../support/mail/mailing-service.ts'
import { useMailServer } from '../../support/mail/smtp.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { waitFor } from '../../support/service/wait.ts'
import type { Principal } from '../../../schema/core/principals.ts'

const server = useMailServer()
const service = useMailingService({ smtpUrl: server.url })
const { database, clock, outbox } = service

const execute = async (principal: Principal, document: string, variables: object) => {
  const send = (...[transaction, mail]: Parameters<typeof outbox.sendMail>) => outbox.sendMail(transaction, mail)
  expect((await executeAs(service, principal, document, { ...variables }, send)).refusal).toBeNull()
}
const remove = 'mutation ($team: String!) { deleteTeam(input: { team: $team, confirmSlug: $team }) { team { slug } } }'
const restore = 'mutation ($team: String!) { restoreTeam(input: { team: $team }) { team { slug } } }'

test('an owner who deletes the account with the team receives the mail about the team', async () => {
  const { team, owner } = await createOwnedTeam(database)
  const document = 'mutation ($teams: [String!]) { deleteAccount(input: { deleteTeams: $teams }) { user { id: userId } } }'
  await execute(await sessionOf(service, owner), document, { teams: [team.slug] })
  const { text = '', subject } = await waitFor(() =>
    server.mails.find((mail) => mail.to?.[0]?.address === owner.email && mail.subject?.includes('team')),
  )
  expect([subject, text]).toEqual(['Acme: team deleted', expect.stringContaining(`You deleted the team “Acme” (${team.slug}) on `)])
})

test('the mail about a deletion that was undone before it is sent is dropped', async () => {
  const { team, owner } = await createOwnedTeam(database)
  const at = clock.now().toISOString()
  await inTransaction(database, (transaction) =>
    outbox.sendMail(transaction, { kind: 'team-deleted', teamId: team.id, recipient: owner.email, actor: 'Ada', at, until: at }),
  )
  const record = await waitFor(async () => (await outbox.list()).find((mail) => mail.recipient === owner.email && mail.state === 'dropped'))
  expect(record).toMatchObject({ kind: 'team-deleted', lastError: 'restored' })
})

test('a mail that the operator causes names the operator instead of a user', async () => {
  const { team, owner } = await createOwnedTeam(database)
  await execute(operator, remove, { team: team.slug })
  const { text } = await waitFor(() => server.mails.find(({ to }) => to?.[0]?.address === owner.email))
  expect(text).toContain(`An operator of this service deleted the team “Acme” (${team.slug}) on `)
  await execute(operator, restore, { team: team.slug })
})
