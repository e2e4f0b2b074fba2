import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Mail } from '../../schema/core/mails/mails.ts'
import { secretDeriver } from '../../src/config/secret-key.ts'
import { createCompose } from '../../src/mail/mails.ts'
import { renderMail } from '../../src/mail/templates/mail-layout.ts'
import { brand } from '../support/mail/brand.ts'
import { everyMail } from '../support/mail/every-mail.ts'
import { useMailServer } from '../support/mail/smtp.ts'
import { useMailingService } from '../support/mail/mailing-service.ts'
import { findPendingInvitation, invite } from '../support/data/invitation.ts'
import { createOwnedTeam, createUser, unique } from '../support/data/team.ts'
import { executeAs, sessionOf } from '../support/service/in-process.ts'
import { secretKey } from '../support/service/test-settings.ts'
import { waitFor } from '../support/service/wait.ts'

// Mail clients make links of the addresses of web sites in names, with or without a scheme.

const server = useMailServer()
const service = useMailingService({ smtpUrl: server.url })
const { database } = service

const names = [
  'http://evil.example/login',
  'Ada (https://evil.example)',
  'www.evil.example',
  'Prize: EVIL.example/win?a=1',
  '//evil.example',
  'evil。example',
  'www\u202A.evil.example',
  'a@evil.example/login',
  'a@www.evil.example',
]
const webAddress = /\/\/|www\.|evil[.。]/i

/** What clients show of a mail, without the links and addresses of the service and its company. */
const shownParts = (mail: { subject?: string | undefined; text?: string | undefined; html?: string | undefined }, own: string[]) =>
  [mail.subject, mail.text, mail.html?.replace(/<[^>]+>/g, ' ').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))].map(
    (part = '') => own.reduce((rest, each) => rest.replaceAll(each, ''), part.trimEnd()),
  )

const own = ['https://accounts.example', brand.termsUrl ?? '', brand.privacyUrl ?? '']

describe.each(names)('the name %j', (name) => {
  test('is no web address in any mail', () => {
    const contents = Object.values(everyMail({ name, by: name, email: name }))
    expect(contents.length).toBeGreaterThan(20)
    for (const content of contents)
      for (const part of shownParts(renderMail(content, brand, name), own)) expect(part).not.toMatch(webAddress)
  })
})

describe('the names in a delivered mail', () => {
  const mailTo = (email: string) => waitFor(() => server.mails.find(({ to }) => to?.some(({ address }) => address === email)))
  /** The last mail of this kind that was queued. */
  const composed = async (kind: Mail['kind']) => {
    const mail = service.mails.findLast((each) => each.kind === kind)
    const parts = { database, now: service.clock.now, deriveSecret: secretDeriver(secretKey), authUrl: 'https://accounts.example', brand }
    const result = mail && (await createCompose(parts)(mail))
    if (!result || 'dropped' in result) throw new Error(`not sent: ${JSON.stringify([mail, result])}`)
    return result.message
  }

  test.each(names)('are no web addresses in an invitation: %j', async (name) => {
    const { team, owner, token } = await createOwnedTeam(database, { name })
    await database.prisma.user.update({ where: { id: owner.id }, data: { name } })
    const email = `${unique('guest')}@example.test`
    expect((await invite(service, team.slug, token, { email, role: 'member' })).status).toBe(204)
    for (const part of shownParts(await mailTo(email), [service.url])) expect(part).not.toMatch(webAddress)
  })

  test('are none in the mail to a new address of the account', async () => {
    const user = await createUser(database, { email: `www.evil.example/login-${unique('a')}@example.test` })
    const document = 'mutation ($email: String!) { requestEmailChange(input: { email: $email }) { email } }'
    const { refusal } = await executeAs(service, await sessionOf(service, user), document, { email: `${unique('new')}@example.test` })
    expect(refusal).toBeNull()
    for (const part of shownParts(await composed('change-email'), own)) expect(part).not.toMatch(webAddress)
  })

  test('stay as they are without one, as do email addresses', async () => {
    const { team, token } = await createOwnedTeam(database, { name: 'Dr. No & Co. 50/50' })
    const guest = await createUser(database, { email: `${unique('first.last')}@mail.example.test` })
    await invite(service, team.slug, token, { email: guest.email, role: 'member' })
    expect((await mailTo(guest.email)).text).toContain('invites you to join the team “Dr. No & Co. 50/50” as a member.')
    const { id } = await findPendingInvitation(service, guest.email)
    const document = 'mutation ($id: ID!) { acceptInvitation(input: { id: $id }) { invitation { status } } }'
    expect((await executeAs(service, await sessionOf(service, guest), document, { id })).refusal).toBeNull()
    expect((await composed('invitation-accepted')).text).toContain(`\nAda (${guest.email}) accepted your invitation to the team “Dr. No`)
  })
})

test('the templates read names only through names.ts', () => {
  const folder = new URL('../../src/mail/templates/', import.meta.url)
  const files = globSync('**/*.ts', { cwd: folder })
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) expect(readFileSync(new URL(file, folder), 'utf8'), file).not.toMatch(/isolateName|toSingleLine|quoteName/)
})
