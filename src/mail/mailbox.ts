import { Router } from 'express'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { isLoopbackAddress } from '../config/development.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { listStoredMails, readStoredMail } from './stored-mail.ts'
import type { StoredMail } from './stored-mail.ts'

// The policy allows no scripts and no requests. Styles and the logo are inline because mails require it.
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/**
 * Shows the mails stored in `folder`, mounted at `/dev/mail` in development: a list, and each mail as text, as HTML in
 * a sandboxed frame and as source. Responds with JSON to `Accept: application/json`. Other machines get 404.
 */
export function createMailbox(folder: string, authUrl: string): Router {
  const showAll = async (response: Response) => {
    const mails = await listStoredMails(folder)
    respond(response, { data: mails }, listPage(mails))
  }
  const showOne = async (id: string, response: Response, next: NextFunction) => {
    const mail = await readStoredMail(folder, id)
    if (mail) respond(response, mail, mailPage(mail, authUrl))
    else next()
  }
  const router = Router()
  router.use(onlyFromThisMachine)
  router.get('/', (_, response) => showAll(response))
  router.get('/:id', ({ params }, response, next) => showOne(params.id, response, next))
  return router
}

// Header fields of proxies and tunnels, which also connect from this machine and add one of them.
const proxyFields = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

const isFromThisMachine = ({ socket, headers }: Request) =>
  isLoopbackAddress(socket.remoteAddress ?? '') && proxyFields.every((name) => headers[name] === undefined)

const onlyFromThisMachine: RequestHandler = (request, _, next) => (isFromThisMachine(request) ? next() : next('router'))

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

const listPage = (mails: StoredMail[]) =>
  layout(
    'Stored emails',
    mails.length === 0
      ? html`<p>No emails yet. Without a mail server (<code>SMTP_URL</code>), emails that the service would send appear here.</p>`
      : html`<table>
          <thead>
            <tr>
              <th scope="col">Time (UTC)</th>
              <th scope="col">To</th>
              <th scope="col">Subject</th>
            </tr>
          </thead>
          <tbody>
            ${mails.map(
              ({ id, date, to, subject }) =>
                html`<tr>
                  <td>${date.slice(0, 19).replace('T', ' ')}</td>
                  <td>${to}</td>
                  <td>
                    <a href="/dev/mail/${id}"><bdi>${subject}</bdi></a>
                  </td>
                </tr> `,
            )}
          </tbody>
        </table>`,
  )

const mailPage = (mail: StoredMail, authUrl: string) =>
  layout(
    mail.subject,
    html`<p><a href="/dev/mail">All emails</a></p>
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
      <iframe title="The mail&rsquo;s HTML" sandbox srcdoc="${mail.html}"></iframe>
      <details>
        <summary>Source of the HTML</summary>
        <pre>${mail.html}</pre>
      </details>`,
  )

/** Returns the text with addresses of this service as links. Other addresses may come from names and stay plain text. */
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
