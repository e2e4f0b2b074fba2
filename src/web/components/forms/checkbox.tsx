import { useContext } from 'preact/hooks'
import { formatFieldId } from './field-description.tsx'
import { RefusedFormContext } from './form.tsx'

interface CheckboxProps {
  name: string
  label: string
  hint?: string
  /** Id of the input. Required if a page has several checkboxes with the same name. */
  id?: string
  /** True if the checkbox is ticked at first. */
  isTicked?: boolean
}

/** A single checkbox. It submits `true` when ticked, and no value otherwise. A refused form shows it as submitted. */
export function Checkbox({ name, label, hint, id = formatFieldId(name), isTicked = false }: CheckboxProps) {
  const refused = useContext(RefusedFormContext)
  return (
    <div class="choice">
      <input type="checkbox" id={id} name={name} value="true" checked={refused ? refused.values[name] === 'true' : isTicked} />
      <label for={id}>
        {label}
        {hint && <small>{hint}</small>}
      </label>
    </div>
  )
}
