import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { invitationMail } from '../../src/mail/templates/invitation.ts'
import type { InvitationMailData } from '../../src/mail/templates/invitation.ts'
import { renderMail } from '../../src/mail/templates/mail-layout.ts'
import { smtpTransport } from '../../src/mail/smtp.ts'
import { brand, footerOf } from '../support/mail/brand.ts'
import { startMailServer } from '../support/mail/smtp.ts'
import { repetitions } from '../support/service/full.ts'

const link = 'https://accounts.example/invitations/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ'
const data: InvitationMailData = {
  inviter: { name: 'Ada Moreau' },
  team: 'Acme',
  role: 'member',
  products: null,
  expiresAt: new Date('2026-11-28T08:30:00Z'),
  link,
}

const render = (data: InvitationMailData) => renderMail(invitationMail.buildContent(data), brand, null)

describe('the invitation mail', () => {
  test('has this plain text', () => {
    expect(render(data)).toMatchObject({
      subject: 'Ada Moreau invites you to the team Acme',
      text: `Hello,

Ada Moreau invites you to join the team “Acme” as a member.

Accept or decline the invitation here:

${link}

The invitation expires on 28 Nov 2026, 08:30 UTC. The link is only for you. Do not share it.

If you did not expect this invitation, you can ignore this email.

${footerOf('Ada Moreau entered your email address to invite you')}
`,
    })
  })

  test('names the products to which the access is limited', () => {
    const { text } = render({ ...data, role: 'billing', products: ['cert', 'flow'] })
    expect(text).toContain('a billing member, who sees the team’s invoices, with access to Certificates and Traffic rules.')
  })

  test('escapes HTML in names', () => {
    const { html, text } = render({
      ...data,
      inviter: { name: `<img src=x onerror="alert('1')">` },
      team: '</bdi><script>1</script> & Co',
    })
    expect(html).toContain('&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;')
    expect(html).not.toMatch(/<img|<script/)
    expect(text).toContain('</bdi><script>1</script> & Co')
  })

  test('isolates names with another writing direction', () => {
    const { subject, text, html } = render({ ...data, inviter: { name: '\u202Egro.live\u202C' }, team: 'צוות' })
    for (const part of [subject, text, html]) expect(part).not.toMatch(/[\u202A-\u202E]/)
    expect(text).toContain('join the team “\u2068צוות\u2069” as')
    expect(html).toContain('<bdi>צוות</bdi>')
  })

  test('contains a name of 255 characters in full in its body and shortened in its subject', () => {
    const team = '🚀'.repeat(255)
    const { subject, text, html } = render({ ...data, team })
    expect(text).toContain(team)
    expect(html).toContain(team)
    expect(subject).toBe(`Ada Moreau invites you to the team ${'🚀'.repeat(59)}…`)
  })

  test('loads no external resources', () => {
    const { html } = render(data)
    expect(html).not.toMatch(/<script|<img|<link|url\(|@import|\son\w+=/i)
    expect(Array.from(html.matchAll(/(?:href|src)="([^"]*)"/g), ([, url]) => url)).toEqual([
      link,
      link,
      'mailto:help@acme.example',
      'https://acme.example/terms',
      'https://acme.example/privacy',
    ])
  })

  test('has one recipient and no injected header fields for any names', async () => {
    const server = await startMailServer()
    const transport = smtpTransport(server.url, 'Accounts <no-reply@accounts.test>')
    const hostileName = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 255 }),
      fc.constantFrom('A\r\nBcc: eve@evil.test', 'A\nSubject: x\n\nbody', '\u2028Bcc: eve@evil.test', 'x\u0085y'),
    )
    const names = fc.tuple(hostileName, hostileName)
    await fc.assert(
      fc.asyncProperty(names, async ([inviter, team]) => {
        server.mails.length = 0
        const mailParts = render({ ...data, inviter: { name: inviter }, team })
        expect(mailParts.subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
        await transport.send({ to: 'guest@example.test', messageId: 'id@accounts.test', date: new Date(), ...mailParts })
        const [mail] = server.mails
        expect(mail?.to).toEqual([{ name: '', address: 'guest@example.test' }])
        const fields = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']
        expect(mail?.headers.map(({ key }) => key).toSorted()).toEqual(fields)
      }),
      { numRuns: repetitions({ short: 15, full: 60 }) },
    )
    transport.close()
  })
})
