import { useContext } from 'preact/hooks'
import { fieldIdOf } from './field-description.tsx'
import { RefusedFormContext } from './form.tsx'

interface CheckboxProps {
  name: string
  label: string
  hint?: string
}

/** A single checkbox, not ticked at first. Its value is `true` when it is ticked; no value is refused. */
export function Checkbox({ name, label, hint }: CheckboxProps) {
  const value = useContext(RefusedFormContext)?.values[name]
  const id = fieldIdOf(name)
  return (
    <div class="choice">
      <input type="checkbox" id={id} name={name} value="true" checked={value === 'true'} />
      <label for={id}>
        {label}
        {hint && <small>{hint}</small>}
      </label>
    </div>
  )
}
