import { expect, test } from 'vitest'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { refresh } from '../../support/oauth/oauth.ts'
import { useMailServer } from '../../support/mail/smtp.ts'
import { useMailingService } from '../../support/mail/mailing-service.ts'
import { travel } from '../../support/service/clock.ts'
import { waitFor } from '../../support/service/wait.ts'

const server = useMailServer()
const service = useMailingService({ smtpUrl: server.url })

test('a user whose refresh token is used twice receives a mail that names the application, and operators see it in the list', async () => {
  const { user, client, tokens } = await connectClient(service, { name: 'Ledger <b>' })
  await refresh(service, client, tokens.refresh_token)
  travel(11_000)
  expect((await refresh(service, client, tokens.refresh_token)).status).toBe(400)
  const mail = await waitFor(() => server.mails.find(({ subject }) => subject?.endsWith('was signed out of your account')))
  expect(mail.to?.[0]?.address).toBe(user.email)
  expect(mail.subject).toBe('Ledger <b> was signed out of your account')
  expect(mail.text).toContain('The app “Ledger <b>” used an old sign-in token a second time on ')
  expect(mail.text).toContain(`${service.url}/applications\n`)
  expect(mail.html).toContain('Ledger &#60;b&#62;')
  const record = await waitFor(async () => (await service.outbox.list('sent')).find(({ kind }) => kind === 'refresh-token-reuse'))
  expect(record).toMatchObject({ recipient: user.email, attempts: 1, lastError: null })
})
