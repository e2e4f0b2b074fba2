import { Router } from 'express'
import type { NextFunction, Response } from 'express'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { listKeptMails, readKeptMail } from './kept-mail.ts'
import type { KeptMail } from './kept-mail.ts'

// Nothing runs and nothing is fetched; a mail's own styles are inline, as mails need them.
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/**
 * The mails kept in `folder`, to be mounted at `/dev/mail` outside production: a list, and each mail as text, as HTML
 * in a frame that may do nothing, and as source. With `Accept: application/json` the same as data.
 */
export function createMailbox(folder: string, authUrl: string): Router {
  const showAll = async (response: Response) => {
    const mails = await listKeptMails(folder)
    respond(response, { data: mails }, listPage(mails))
  }
  const showOne = async (id: string, response: Response, next: NextFunction) => {
    const mail = await readKeptMail(folder, id)
    if (mail) respond(response, mail, mailPage(mail, authUrl))
    else next()
  }
  const router = Router()
  router.get('/', (_, response) => showAll(response))
  router.get('/:id', ({ params }, response, next) => showOne(params.id, response, next))
  return router
}

function respond(response: Response, data: object, page: Html): void {
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Content-Security-Policy', policy)
  response.format({
    html: () => response.send(page.markup),
    json: () => response.json(data),
  })
}

const listPage = (mails: KeptMail[]) =>
  layout(
    'Kept mails',
    mails.length === 0
      ? html`<p>No mail yet. There is no mail server (<code>SMTP_URL</code>): what the service would send appears here.</p>`
      : html`<table>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">To</th>
              <th scope="col">Subject</th>
            </tr>
          </thead>
          <tbody>
            ${mails.map(
              ({ id, date, to, subject }) =>
                html`<tr>
                  <td>${date}</td>
                  <td>${to}</td>
                  <td>
                    <a href="/dev/mail/${id}"><bdi>${subject}</bdi></a>
                  </td>
                </tr> `,
            )}
          </tbody>
        </table>`,
  )

const mailPage = (mail: KeptMail, authUrl: string) =>
  layout(
    mail.subject,
    html`<p><a href="/dev/mail">All mails</a></p>
      <dl>
        <dt>From</dt>
        <dd>${mail.from}</dd>
        <dt>To</dt>
        <dd>${mail.to}</dd>
        <dt>Date</dt>
        <dd>${mail.date}</dd>
        <dt>Message-ID</dt>
        <dd>${mail.messageId}</dd>
      </dl>
      <h2>Text</h2>
      <pre>${linked(mail.text, authUrl)}</pre>
      <h2>HTML</h2>
      <iframe title="The mail’s HTML" sandbox srcdoc="${mail.html}"></iframe>
      <details>
        <summary>Source of the HTML</summary>
        <pre>${mail.html}</pre>
      </details>`,
  )

/** The text with the addresses of this service as links; only those, since names in it may hold others. */
function linked(text: string, authUrl: string): Html[] {
  return text.split(/(\S+)/).map((word) => (word.startsWith(`${authUrl}/`) ? html`<a href="${word}">${word}</a>` : html`${word}`))
}

const layout = (title: string, content: Html) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <style>
          body {
            font:
              16px/1.5 system-ui,
              sans-serif;
            max-width: 960px;
            margin: 2rem auto;
            padding: 0 1rem;
          }
          table {
            width: 100%;
            border-collapse: collapse;
          }
          th,
          td {
            text-align: left;
            padding: 0.4rem 0.8rem 0.4rem 0;
            overflow-wrap: anywhere;
          }
          dl {
            display: grid;
            grid-template-columns: max-content 1fr;
            gap: 0.2rem 1rem;
          }
          dd {
            margin: 0;
            overflow-wrap: anywhere;
          }
          pre {
            white-space: pre-wrap;
            overflow-wrap: anywhere;
          }
          iframe {
            width: 100%;
            height: 26rem;
            border: 1px solid;
            background: #fff;
          }
        </style>
      </head>
      <body>
        <main>
          <h1><bdi>${title}</bdi></h1>
          ${content}
        </main>
      </body>
    </html> `
