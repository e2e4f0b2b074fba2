import { parse } from 'node-html-parser'
import type { HTMLElement } from 'node-html-parser'

/** The page that a browser without JavaScript shows. Outside the service only its URL is set. */
export interface Page {
  url: URL
  status: number
  headers: Headers
  root: HTMLElement
  /** The text of the page with collapsed white space. */
  text: string
}

interface Cookie {
  name: string
  value: string
  path: string
}

interface PageRequest extends RequestInit {
  headers?: Record<string, string>
}

/**
 * A browser without JavaScript. It stores cookies by path, follows redirects until one leaves the service, and submits forms
 * with fields that are filled in by label.
 */
export class Browser {
  readonly origin: string
  /** Keys are `name path`, since cookies of different paths can have the same name. */
  readonly cookies = new Map<string, Cookie>()
  /** Sent with every request, e.g. X-Forwarded-For. */
  headers: Record<string, string> = {}

  constructor(origin: string) {
    this.origin = origin
  }

  /** Another browser with the same cookies. */
  copy(): Browser {
    const copy = new Browser(this.origin)
    for (const [key, cookie] of this.cookies) copy.cookies.set(key, cookie)
    return copy
  }

  async open(address: string | URL, init: PageRequest = {}): Promise<Page> {
    let url = new URL(address, this.origin)
    let request = init
    for (let redirects = 0; redirects < 20; redirects++) {
      if (url.origin !== this.origin) return pageOf(url, 0, new Headers(), '')
      const headers = {
        accept: 'text/html',
        ...this.headers,
        ...request.headers,
        cookie: this.cookieHeader(url),
      }
      const response = await fetch(url, { ...request, headers, redirect: 'manual' })
      this.storeCookies(response, url)
      const text = await response.text()
      const location = response.headers.get('location')
      if (location === null || response.status < 300 || response.status > 399) return pageOf(url, response.status, response.headers, text)
      url = new URL(location, url)
      request = {}
    }
    throw new Error(`too many redirects to ${url.href}`)
  }

  /**
   * Fills in fields by label and presses the button of the page, or of the first confirmation to which it links. A list of values selects
   * exactly these checkboxes. A file is chosen.
   */
  async press(start: Page, button: string, fields: Record<string, string | readonly string[] | File> = {}): Promise<Page> {
    const page = buttonOf(start, button) ? start : await this.openConfirmation(start, button)
    const buttonElement = buttonOf(page, button)
    const formId = buttonElement?.getAttribute('form')
    const form = formId === undefined ? buttonElement?.closest('form') : page.root.querySelector(`#${formId}`)
    if (!buttonElement || !form) throw new Error(`no button ${button} at ${page.url.href}: ${page.text}`)
    const values = formValues(form)
    const files = new Map<string, File>()
    // Fields outside of the form that name it, such as the checkboxes of a table.
    const outside = form.id ? page.root.querySelectorAll(`input[form=${form.id}]`) : []
    for (const input of outside)
      if (input.hasAttribute('checked')) values.append(input.getAttribute('name') ?? '', input.getAttribute('value') ?? '')
    for (const [label, value] of Object.entries(fields)) {
      const name = outside.some((input) => input.getAttribute('name') === label) ? label : nameOf(form, label)
      values.delete(name)
      if (value instanceof File) files.set(name, value)
      else for (const each of typeof value === 'string' ? [value] : value) values.append(name, each)
    }
    const name = buttonElement.getAttribute('name')
    if (name) values.append(name, buttonElement.getAttribute('value') ?? '')
    const isMultipart = form.getAttribute('enctype') === 'multipart/form-data'
    return this.send(page, form.getAttribute('action') ?? page.url.href, isMultipart ? withFiles(form, values, files) : values)
  }

  /** Opens the first confirmation with this button to which the page links. */
  async openConfirmation(page: Page, button: string): Promise<Page> {
    for (const link of page.root.querySelectorAll('a.confirm')) {
      const confirmation = await this.open(new URL(link.getAttribute('href') ?? '', page.url))
      if (buttonOf(confirmation, button)) return confirmation
    }
    throw new Error(`no button ${button} at ${page.url.href}: ${page.text}`)
  }

  /** Submits these values, such as those of a forged form. */
  send(page: Page, action: string, values: URLSearchParams | FormData): Promise<Page> {
    return this.open(new URL(action, page.url), { method: 'POST', body: values, headers: { origin: this.origin } })
  }

  private cookieHeader({ pathname }: URL): string {
    const matching = [...this.cookies.values()].filter(
      ({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`),
    )
    return matching.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  private storeCookies(response: Response, { pathname }: URL): void {
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

const buttonOf = ({ root }: Page, text: string) => root.querySelectorAll('button').find((element) => element.text.trim() === text)

/** The values that a form submits unchanged. */
export function formValues(form: HTMLElement): URLSearchParams {
  const values = new URLSearchParams()
  for (const input of form.querySelectorAll('input')) {
    const name = input.getAttribute('name')
    const isUnchecked = /^(checkbox|radio)$/.test(input.getAttribute('type') ?? '') && !input.hasAttribute('checked')
    if (name && !isUnchecked) values.append(name, input.getAttribute('value') ?? 'on')
  }
  for (const area of form.querySelectorAll('textarea')) values.append(area.getAttribute('name') ?? '', area.text)
  for (const select of form.querySelectorAll('select')) {
    const options = select.querySelectorAll('option')
    const selected = options.find((option) => option.hasAttribute('selected')) ?? options[0]
    if (selected) values.append(select.getAttribute('name') ?? '', selected.getAttribute('value') ?? '')
  }
  return values
}

/** The values and chosen files of a form in its order. As browsers do, sends an empty file without a name where none was chosen. */
function withFiles(form: HTMLElement, values: URLSearchParams, files: ReadonlyMap<string, File>): FormData {
  const data = new FormData()
  for (const [name, value] of values) data.append(name, value)
  for (const input of form.querySelectorAll('input[type=file]')) {
    const name = input.getAttribute('name') ?? ''
    data.delete(name)
    data.append(name, files.get(name) ?? new File([], ''))
  }
  return data
}

/** Returns the name of the field with this label. Fields with a common name, such as checkboxes, are found by name. */
function nameOf(form: HTMLElement, label: string): string {
  const labelElement = form.querySelectorAll('label').find((element) => element.text.trim() === label)
  const field = labelElement && (form.querySelector(`#${labelElement.getAttribute('for')}`) ?? labelElement.querySelector('input, select'))
  const name = field?.getAttribute('name') ?? form.querySelector(`[name="${label}"]`)?.getAttribute('name')
  if (!name) throw new Error(`no field ${label}`)
  return name
}

function pageOf(url: URL, status: number, headers: Headers, html: string): Page {
  // `wbr` allows a line break and is not part of the text. The parser would separate the text there.
  const root = parse(html.replaceAll('<wbr/>', ''))
  return { url, status, headers, root, text: root.text.replace(/\s+/g, ' ').trim() }
}
