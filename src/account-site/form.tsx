import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Hidden } from './page.tsx'
import type { RefusedForm } from './visit.ts'

/** What forms need to know of the page they are on. */
export interface FormSurroundings {
  /** Where the page's forms are sent: its own address. */
  action: string
  /** Binds a form of this name to this browser and person. */
  sealOf(name: string): string
  refused: RefusedForm | null
}

export const FormsOfPage = createContext<FormSurroundings | null>(null)
const Current = createContext<RefusedForm | null>(null)

interface FormProps {
  /** Its name among the forms of the page. */
  name: string
  /** Fields that nobody sees; they also tell several forms of one name apart. */
  hidden?: Record<string, string>
  class?: string
  children?: ComponentChildren
}

/** A form of the page; shows what was typed and what is wrong where it was refused. */
export function Form({ name, hidden = {}, class: className, children }: FormProps) {
  const surroundings = useContext(FormsOfPage)
  if (!surroundings) throw new Error(`the form ${name} is on no page`)
  const { action, sealOf, refused } = surroundings
  const isRefused = refused?.name === name && Object.entries(hidden).every(([field, value]) => refused.values[field] === value)
  return (
    <Current.Provider value={isRefused ? refused : null}>
      <form method="post" action={action} class={className}>
        <Hidden fields={{ form: name, csrf: sealOf(name), ...hidden }} />
        {children}
      </form>
    </Current.Provider>
  )
}

/** What was sent in a field of the form around, and what is wrong with it. */
function useSent(name: string) {
  const refused = useContext(Current)
  const messages = refused?.error.details.errors?.[name] ?? []
  return { value: refused?.values[name], isRefused: refused !== null, messages }
}

const idOf = (name: string) => `field-${name}`
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

interface LabelledProps {
  name: string
  label: string
  hint?: ComponentChildren
  /** Where a page has several fields of one name. */
  id?: string
}

interface FieldProps extends LabelledProps {
  value?: string
  type?: 'text' | 'password' | 'date' | 'search' | 'email' | 'datetime-local'
  /** Absent: true. */
  required?: boolean
  autocomplete?: string
  inputMode?: 'email' | 'numeric' | 'text'
  list?: string
  maxLength?: number
  min?: string
  max?: string
  class?: string
}

/** A line of text with its label. Passwords are never shown again. */
export function Field({ name, label, hint, id = idOf(name), value, type = 'text', required = true, autocomplete, ...rest }: FieldProps) {
  const { value: sent, messages } = useSent(name)
  const isCode = autocomplete === 'one-time-code'
  const isWord = isCode || type === 'password' || rest.inputMode === 'email'
  // The types of preact tell apart what each type of input may have; here it is the page that says the type.
  const attributes: object = {
    ...rest,
    ...described(id, hint, messages),
    id,
    name,
    type,
    required,
    autocomplete,
    value: type === 'password' || isCode ? undefined : (textOf(sent) ?? value),
    ...(isWord && { autocapitalize: 'none', spellcheck: false }),
  }
  return (
    <>
      <label for={id}>{label}</label>
      <input {...attributes} />
      <About id={id} hint={hint} messages={messages} />
    </>
  )
}

interface SelectProps extends LabelledProps {
  options: readonly { value: string; label: string }[]
  selected?: string
}

/** A choice of one, as a list that opens. */
export function Select({ name, label, hint, id = idOf(name), options, selected }: SelectProps) {
  const { value: sent, messages } = useSent(name)
  const chosen = textOf(sent) ?? selected
  return (
    <>
      <label for={id}>{label}</label>
      <select id={id} name={name} {...described(id, hint, messages)}>
        {options.map(({ value, label }) => (
          <option value={value} selected={value === chosen}>
            {label}
          </option>
        ))}
      </select>
      <About id={id} hint={hint} messages={messages} />
    </>
  )
}

interface Choice {
  value: string
  label: ComponentChildren
  hint?: string
  /** Whether it shows what stands in an element of class `opened` after the choices. */
  opens?: boolean
}

interface ChoicesProps extends Omit<LabelledProps, 'label'> {
  legend: string
  type: 'checkbox' | 'radio'
  options: readonly Choice[]
  checked?: readonly string[]
}

/** A choice of one or of several, each to be seen at once. */
export function Choices({ name, legend, hint, id = idOf(name), type, options, checked = [] }: ChoicesProps) {
  const { value: sent, isRefused, messages } = useSent(name)
  const chosen = isRefused ? [sent].flat() : checked
  return (
    <fieldset {...described(id, hint, messages)}>
      <legend>{legend}</legend>
      {options.map(({ value, label, hint, opens }) => (
        <div class="choice">
          <input type={type} id={`${id}-${value}`} name={name} value={value} checked={chosen.includes(value)} data-opens={opens} />
          <label for={`${id}-${value}`}>
            {label}
            {hint && <small>{hint}</small>}
          </label>
        </div>
      ))}
      <About id={id} hint={hint} messages={messages} />
    </fieldset>
  )
}

function described(id: string, hint: ComponentChildren, messages: readonly string[]) {
  const by = [messages.length > 0 && `${id}-wrong`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return { 'aria-invalid': messages.length > 0 ? true : undefined, 'aria-describedby': by || undefined }
}

const About = ({ id, hint, messages }: { id: string; hint: ComponentChildren; messages: readonly string[] }) => (
  <>
    {messages.length > 0 && (
      <p class="wrong" id={`${id}-wrong`}>
        {messages.join(' ')}
      </p>
    )}
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </>
)

interface ButtonProps {
  children: ComponentChildren
  /** `second` beside the one that is usual, `danger` for what cannot be undone, `quiet` within a line. */
  kind?: 'second' | 'danger' | 'quiet'
  name?: string
  value?: string
}

/** Sends the form around. */
export const Button = ({ children, kind, name, value }: ButtonProps) => (
  <button type="submit" class={kind} name={name} value={value}>
    {children}
  </button>
)

export const Buttons = ({ children }: { children: ComponentChildren }) => <div class="buttons">{children}</div>
