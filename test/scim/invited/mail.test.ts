import { expect, test } from 'vitest'
import { useMailingService } from '../../support/mail/mailing-service.ts'
import { useMailServer } from '../../support/mail/smtp.ts'
import { createGuest } from '../../support/scim/guests.ts'
import { waitFor } from '../../support/service/wait.ts'

const server = useMailServer()
const service = useMailingService({ smtpUrl: server.url })

test('the mail says that the directory of the team invites', async () => {
  const { address, team } = await createGuest(service)
  const mail = await waitFor(() => server.mails.find(({ to }) => to?.some((recipient) => recipient.address === address)))
  expect(mail.subject).toBe(`The directory of ${team.name} invites you to the team ${team.name}`)
  expect(mail.text).toContain(`The directory of ${team.name} invites you to join the team “${team.name}” as a member.`)
  expect(mail.text).toContain(`You received this email because the directory of ${team.name} sent your email address to invite you.`)
})
