import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { Message } from '../message.ts'

/** A mail's subject and its text, as plain text and as HTML. */
export type MailText = Pick<Message, 'subject' | 'text' | 'html'>

/** Plain text, or both forms of a paragraph that contains markup. */
type Paragraph = string | { text: string; html: Html }

interface MailParts {
  /** Also the title of the HTML document. */
  subject: string
  paragraphs: readonly Paragraph[]
  link?: { lead: string; button: string; address: string }
  /** Paragraphs after the link; the last one in small print. */
  ending: readonly string[]
}

/** The layout of all mails. Plain text and HTML have the same content; the HTML loads nothing. */
export function renderMail({ subject, paragraphs, link, ending }: MailParts): MailText {
  const lines = [
    'Hello,',
    ...paragraphs.map((paragraph) => (typeof paragraph === 'string' ? paragraph : paragraph.text)),
    ...(link ? [link.lead, link.address] : []),
    ...ending,
  ]
  return {
    subject,
    text: `${lines.join('\n\n')}\n`,
    html: html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <meta name="color-scheme" content="light dark" />
          <title>${subject}</title>
        </head>
        <body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
          <div style="max-width:560px;margin:0 auto">
            <p>Hello,</p>
            ${paragraphs.map((paragraph) => html`<p>${typeof paragraph === 'string' ? paragraph : paragraph.html}</p>`)}
            ${link ? [buttonOf(link)] : []}
            ${ending.map((line, index) => (index === ending.length - 1 ? html`<p style="font-size:14px">${line}</p>` : html`<p>${line}</p>`))}
          </div>
        </body>
      </html> `.markup,
  }
}

const buttonOf = ({ address, button }: NonNullable<MailParts['link']>) => html`
  <p>
    <a
      href="${address}"
      style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none"
      >${button}</a
    >
  </p>
  <p>Or open this address in your browser:<br /><a href="${address}" style="word-break:break-all">${address}</a></p>
`
