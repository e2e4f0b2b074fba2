import type { Html } from './html.ts'
import { html } from './html.ts'
import type { Message } from './message.ts'

/** A mail's words: its subject, and the same in plain text and in HTML. */
export type Words = Pick<Message, 'subject' | 'text' | 'html'>

/** One paragraph: words alone, or the same said twice where names in it are set off. */
type Paragraph = string | { text: string; html: Html }

interface Letter {
  /** Also what the HTML document is called. */
  subject: string
  paragraphs: readonly Paragraph[]
  link?: { lead: string; button: string; address: string }
  /** What is said after the link; the last in small print. */
  ending: readonly string[]
}

/** The one form that all mails have. Plain text and HTML say the same; nothing is fetched from anywhere. */
export function letter({ subject, paragraphs, link, ending }: Letter): Words {
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
            ${ending.map((words, index) => (index === ending.length - 1 ? html`<p style="font-size:14px">${words}</p>` : html`<p>${words}</p>`))}
          </div>
        </body>
      </html> `.markup,
  }
}

const buttonOf = ({ address, button }: NonNullable<Letter['link']>) => html`
  <p>
    <a
      href="${address}"
      style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none"
      >${button}</a
    >
  </p>
  <p>Or open this address in your browser:<br /><a href="${address}" style="word-break:break-all">${address}</a></p>
`
