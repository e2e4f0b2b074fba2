import { parse } from 'node-html-parser'
import type { HTMLElement } from 'node-html-parser'

/** What a browser without JavaScript shows: a page, or where it was sent outside of the service. */
export interface Page {
  url: URL
  status: number
  headers: Headers
  root: HTMLElement
  /** The page's text, blanks collapsed. */
  text: string
}

interface Cookie {
  name: string
  value: string
  path: string
}

/**
 * A browser without JavaScript: keeps cookies by their path, follows redirects within the service and stops where one
 * leads outside, sends forms as they stand with what is filled in by label.
 */
export class Browser {
  readonly origin: string
  /** By name and path: one name may stand for several paths. */
  readonly cookies = new Map<string, Cookie>()
  /** Sent with every request, e.g. X-Forwarded-For. */
  headers: Record<string, string> = {}

  constructor(origin: string) {
    this.origin = origin
  }

  async open(address: string | URL, init: RequestInit = {}): Promise<Page> {
    let url = new URL(address, this.origin)
    let request = init
    for (let hops = 0; hops < 20; hops++) {
      if (url.origin !== this.origin) return pageOf(url, 0, new Headers(), '')
      const headers = {
        accept: 'text/html',
        ...this.headers,
        ...(request.headers as Record<string, string>),
        cookie: this.cookieHeader(url),
      }
      const response = await fetch(url, { ...request, headers, redirect: 'manual' })
      this.keep(response, url)
      const text = await response.text()
      const location = response.headers.get('location')
      if (location === null || response.status < 300 || response.status > 399) return pageOf(url, response.status, response.headers, text)
      url = new URL(location, url)
      request = {}
    }
    throw new Error(`redirected without end to ${url.href}`)
  }

  /** Presses the button of this name, after filling in fields by label; a list checks exactly these boxes of the form. */
  async press(page: Page, button: string, fields: Record<string, string | readonly string[]> = {}): Promise<Page> {
    const pressed = page.root.querySelectorAll('button').find((element) => element.text.trim() === button)
    const form = pressed?.closest('form')
    if (!pressed || !form) throw new Error(`no button ${button} at ${page.url.href}: ${page.text}`)
    const values = formValues(form)
    for (const [label, value] of Object.entries(fields)) {
      const name = nameOf(form, label)
      values.delete(name)
      for (const each of typeof value === 'string' ? [value] : value) values.append(name, each)
    }
    const name = pressed.getAttribute('name')
    if (name) values.append(name, pressed.getAttribute('value') ?? '')
    return this.send(page, form.getAttribute('action') ?? page.url.href, values)
  }

  /** Sends a form as it is given, e.g. one that no page offers. */
  send(page: Page, action: string, values: URLSearchParams): Promise<Page> {
    return this.open(new URL(action, page.url), { method: 'POST', body: values, headers: { origin: this.origin } })
  }

  private cookieHeader({ pathname }: URL): string {
    const fitting = [...this.cookies.values()].filter(
      ({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`),
    )
    return fitting.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  private keep(response: Response, { pathname }: URL): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/; */)
      const name = pair.slice(0, pair.indexOf('='))
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? pathname
      const expires = attributes.find((attribute) => /^expires=/i.test(attribute))?.slice(8)
      const key = `${name} ${path}`
      if (expires && new Date(expires).getTime() < Date.now()) this.cookies.delete(key)
      else this.cookies.set(key, { name, value: pair.slice(name.length + 1), path })
    }
  }
}

/** What the form would send as it stands. */
export function formValues(form: HTMLElement): URLSearchParams {
  const values = new URLSearchParams()
  for (const input of form.querySelectorAll('input')) {
    const name = input.getAttribute('name')
    const isUnchecked = /^(checkbox|radio)$/.test(input.getAttribute('type') ?? '') && !input.hasAttribute('checked')
    if (name && !isUnchecked) values.append(name, input.getAttribute('value') ?? 'on')
  }
  for (const select of form.querySelectorAll('select')) {
    const options = select.querySelectorAll('option')
    const chosen = options.find((option) => option.hasAttribute('selected')) ?? options[0]
    if (chosen) values.append(select.getAttribute('name') ?? '', chosen.getAttribute('value') ?? '')
  }
  return values
}

/** The name of the field with this label; a name itself stands for fields that share one, as checkboxes do. */
function nameOf(form: HTMLElement, label: string): string {
  const found = form.querySelectorAll('label').find((element) => element.text.trim() === label)
  const field = found && (form.querySelector(`#${found.getAttribute('for')}`) ?? found.querySelector('input, select'))
  const name = field?.getAttribute('name') ?? form.querySelector(`[name="${label}"]`)?.getAttribute('name')
  if (!name) throw new Error(`no field ${label}`)
  return name
}

function pageOf(url: URL, status: number, headers: Headers, html: string): Page {
  const root = parse(html)
  return { url, status, headers, root, text: root.text.replace(/\s+/g, ' ').trim() }
}
