import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { DomainError } from '../../../../schema/core/errors.ts'
import { listMessages, formatRefusal } from './refusal-words.ts'
import type { FieldWords } from './refusal-words.ts'

/** Hidden fields of a form, from names to values. */
export const HiddenFields = ({ fields }: { fields: Record<string, string> }) => (
  <>
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
)

/** A submitted form that the page shows again with the submitted values and, if it was refused, the error messages. */
export interface RefusedForm {
  name: string
  values: Readonly<Record<string, unknown>>
  /** The error. Null if the form was not refused, because the user requested other values, such as those of a preset. */
  error: DomainError | null
  /** Names in `error` whose messages a field of the page has shown, in the order of the fields. Rendering fills the set. */
  shown: Set<string>
  /** True if the page asks for a confirmation of the form and therefore shows no error. Rendering sets it. */
  isQuestion: boolean
}

export const refusedForm = (name: string, values: RefusedForm['values'], error: RefusedForm['error']): RefusedForm => ({
  name,
  values,
  error,
  shown: new Set(),
  isQuestion: false,
})

/** Returns the messages that no field of the rendered page shows; undefined if there are none. */
export function getAlert({ error, shown }: RefusedForm): string | undefined {
  if (error === null) return undefined
  const messages = listMessages(error, (key) => shown.has(key))
  return messages.length === 0 ? undefined : messages.join(' ')
}

/** Data that the forms of a page share. */
interface PageForms {
  /** The address to which every form of the page is sent: that of the page. */
  action: string
  /** Returns the CSRF token of a form for the current browser and user. */
  getCsrfToken(formName: string): string
  /** Returns the token that allows showing a form again after its session was lost; null if the page needs no sign-in. */
  getDraftToken(formName: string): string | null
  refused: RefusedForm | null
}

export const PageFormsContext = createContext<PageForms | null>(null)
/** True for a page on which nothing can be changed. The fields of its forms are disabled, so that staff still see what an owner sees. */
export const ReadOnlyContext = createContext(false)
/** For forms outside the framework of the account site, which do not use `Form`. */
export const RefusedFormContext = createContext<RefusedForm | null>(null)

interface FormProps {
  /** The form's name among the forms of the page. */
  name: string
  /** Hidden fields. They also distinguish forms with the same name, such as one form for each row of a table. */
  hidden?: Record<string, string>
  /** Id of the form, for fields outside the form element that refer to it, such as the checkboxes of a table. */
  id?: string
  /** True if the form contains a `FileField`. */
  hasFile?: boolean
  children?: ComponentChildren
}

/** A form of the page. After a refusal it shows the submitted values and the error messages. */
export function Form({ name, hidden = {}, id, hasFile = false, children }: FormProps) {
  const { action, getCsrfToken, getDraftToken } = usePageForms(name)
  // The scripts of the page look for the form of their fields.
  if (useContext(ReadOnlyContext))
    return (
      <form id={id}>
        <fieldset disabled>{children}</fieldset>
      </form>
    )
  const draft = getDraftToken(name)
  return (
    <RefusedFormContext.Provider value={useRefusal(name, hidden)}>
      <form method="post" action={action} id={id} enctype={hasFile ? 'multipart/form-data' : undefined}>
        <HiddenFields fields={{ form: name, csrf: getCsrfToken(name), ...(draft !== null && { draft }), ...hidden }} />
        {children}
      </form>
    </RefusedFormContext.Provider>
  )
}

/** Returns the data that the form with this name shares with the other forms of the page. */
export function usePageForms(name: string): PageForms {
  const pageForms = useContext(PageFormsContext)
  if (!pageForms) throw new Error(`the form ${name} is rendered outside a page`)
  return pageForms
}

/** Returns the CSRF token of a form that a script sends. */
export const useCsrfToken = (name: string): string => usePageForms(name).getCsrfToken(name)

/** Returns the refusal of the form with this name and these hidden fields, or null. */
export function useRefusal(name: string, hidden: Record<string, string> = {}): RefusedForm | null {
  const { refused } = usePageForms(name)
  const isRefused = refused?.name === name && Object.entries(hidden).every(([field, value]) => refused.values[field] === value)
  return isRefused ? refused : null
}

/** Returns the submitted value and the error messages of a field in the enclosing form, worded for the page. */
export function useSubmittedField(name: string, words: FieldWords) {
  const refused = useContext(RefusedFormContext)
  if (!refused) return { value: undefined, isRefused: false, messages: [], isFirst: false }
  const { errors = {}, templates = {} } = refused.error?.details ?? {}
  const keys = Object.keys(errors).filter((key) => key === name || key.startsWith(`${name}.`))
  for (const key of keys) refused.shown.add(key)
  const messages = keys.flatMap((key) => (templates[key] ?? errors[key] ?? []).map((message) => formatMessage(message, words)))
  const [first] = refused.shown
  // The first refused field of the page has the focus: users see it, and screen readers announce it with its message.
  const isFirst = first !== undefined && keys.includes(first)
  return { value: refused.values[name], isRefused: true, messages: [...new Set(messages)], isFirst }
}

const formatMessage = (message: string, words: FieldWords) => (message.includes(':attribute') ? formatRefusal(message, words) : message)
