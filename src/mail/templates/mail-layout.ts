import type { Brand } from '../../web/brand/brand.ts'
import { deriveAccents } from '../../web/brand/colors.ts'
import { getInitials } from '../../web/display-name.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { logoId } from '../message.ts'
import type { Message } from '../message.ts'
import { nameInText } from '../names.ts'

/** A mail's subject and its text, as plain text and as HTML. */
export type MailText = Pick<Message, 'subject' | 'text' | 'html' | 'logo'>

/** Plain text, or both forms of a paragraph that contains markup. */
type Paragraph = string | { text: string; html: Html }

/** Content of one mail. The rest is the same for all mails. */
export interface MailContent {
  /** Subject, which is also the title of the HTML document. */
  subject: string
  paragraphs: readonly Paragraph[]
  link?: { lead: string; button: string; address: string }
  /** Paragraphs after the link. */
  ending: readonly string[]
  /** Reason for which the recipient receives the mail, in the footer: `because …`. */
  reason: string
}

/**
 * Renders a mail in the layout of all mails. Plain text and HTML have the same content; the HTML loads nothing. `choices` is the address of
 * the page on which the recipient can switch the mail off, if they can.
 */
export function renderMail(content: MailContent, brand: Brand, name: string | null, choices?: string): MailText {
  const { subject, paragraphs, link, ending } = content
  const greeting = name === null ? 'Hello,' : `Hello ${nameInText(name, 60)},`
  const reason = `You received this email because ${content.reason}.`
  const links = [
    ...(choices === undefined ? [] : [{ label: 'Change which emails you get', text: choices, address: choices }]),
    ...listLinks(brand),
  ]
  const lines = [
    greeting,
    ...paragraphs.map((paragraph) => (typeof paragraph === 'string' ? paragraph : paragraph.text)),
    ...(link ? [link.lead, link.address] : []),
    ...ending,
    ['-- ', brand.name, reason, ...links.map(({ label, text }) => `${label}: ${text}`), ...getCompany(brand)].join('\n'),
  ]
  // Mail clients do not show SVG.
  const logo = brand.logo?.type === 'png' ? brand.logo.body : undefined
  return {
    subject,
    logo,
    text: `${lines.join('\n\n')}\n`,
    html: html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <meta name="color-scheme" content="light dark" />
          <meta name="supported-color-schemes" content="light dark" />
          <title>${subject}</title>
          <style>
            ${buildStyles(brand.color)}
          </style>
        </head>
        <body class="page" style="margin:0;padding:0;background:#f6f7f9;color:#1b1f27;font:16px/1.5 system-ui,sans-serif">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
            <tr>
              <td align="center" style="padding:24px 12px">
                <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left">
                  <tr>
                    <td style="padding:0 0 16px;font-size:18px;font-weight:600">${buildLogo(brand, logo !== undefined)} ${brand.name}</td>
                  </tr>
                  <tr>
                    <td class="card" style="padding:24px;border-radius:12px;background:#ffffff;overflow-wrap:anywhere">
                      <p style="margin:0 0 16px">${greeting}</p>
                      ${paragraphs.map((paragraph) => buildParagraph(typeof paragraph === 'string' ? html`${paragraph}` : paragraph.html))}
                      ${link ? [buildButton(link, brand)] : []} ${ending.map((line) => buildParagraph(html`${line}`))}
                    </td>
                  </tr>
                  <tr>
                    <td class="quiet" style="padding:16px 0 0;font-size:13px;color:#565d6b;overflow-wrap:anywhere">
                      ${[reason, ...getCompany(brand)].map((line) => html`<p style="margin:0 0 4px">${line}</p>`)}
                      <p style="margin:0">
                        ${links.map(
                          ({ label, address }) =>
                            html`<a class="quiet" href="${address}" style="margin-right:12px;color:#565d6b">${label}</a> `,
                        )}
                      </p>
                    </td>
                  </tr>
                </table>
              </td>
            </tr>
          </table>
        </body>
      </html> `.markup,
  }
}

/** Clients without support for dark mode ignore these rules, which override the inline styles. */
function buildStyles(color: string): Html {
  const { dark } = deriveAccents(color)
  return html`:root { color-scheme: light dark; supported-color-schemes: light dark; } @media (prefers-color-scheme: dark) { .page {
  background: #16181d !important; color: #e7e9ee !important; } .card { background: #22262f !important; } .quiet { color: #a9b0bd !important;
  } .link { color: ${dark} !important; } .button { background: ${dark} !important; color: #14161a !important; } }`
}

const buildParagraph = (content: Html) => html`<p style="margin:0 0 16px">${content}</p>`

const buildLogo = ({ name, color }: Brand, hasImage: boolean) =>
  hasImage
    ? html`<img src="cid:${logoId}" width="32" height="32" alt="" style="border-radius:7px;vertical-align:middle" />`
    : html`<span
        aria-hidden="true"
        style="display:inline-block;width:32px;border-radius:7px;background:${
          deriveAccents(color).light
        };color:#ffffff;line-height:32px;text-align:center"
        >${getInitials(name).slice(0, 1)}</span
      >`

const listLinks = ({ support, termsUrl, privacyUrl }: Brand) =>
  [
    { label: 'Support', text: support, address: `mailto:${support}` },
    { label: 'Terms', text: termsUrl, address: termsUrl },
    { label: 'Privacy', text: privacyUrl, address: privacyUrl },
  ].flatMap(({ label, text, address }) => (text === undefined || address === undefined ? [] : [{ label, text, address }]))

const getCompany = ({ name, legalName, address }: Brand) => {
  const company = [...(legalName === name ? [] : [legalName]), ...address].join(', ')
  return company === '' ? [] : [company]
}

const buildButton = ({ lead, address, button }: NonNullable<MailContent['link']>, { color }: Brand) => html`
  ${buildParagraph(html`${lead}`)}
  <p style="margin:0 0 16px">
    <a
      class="button"
      href="${address}"
      style="display:inline-block;padding:10px 18px;border-radius:8px;background:${
        deriveAccents(color).light
      };color:#ffffff;font-weight:600;text-decoration:none"
      >${button}</a
    >
  </p>
  <p style="margin:0 0 16px;font-size:14px">
    Or copy this link into your browser:<br /><a
      class="link"
      href="${address}"
      style="color:${deriveAccents(color).light};word-break:break-all"
      >${address}</a
    >
  </p>
`
