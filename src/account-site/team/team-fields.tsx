import { Field } from '../../web/components/forms/field.tsx'

export const TeamNameField = ({ value, hasFocus }: { value?: string; hasFocus?: boolean }) => (
  <Field name="name" label="Name" autocomplete="off" {...(value !== undefined && { value })} {...(hasFocus && { hasFocus })} />
)
