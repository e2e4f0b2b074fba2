import { Button, Buttons } from '../web/components/forms/button.tsx'
import { FileField } from '../web/components/forms/field.tsx'
import { Form } from '../web/components/forms/form.tsx'

interface PictureFieldProps {
  name: string
  label: string
  /** Places in which the picture is shown, and its shape. */
  hint: string
}

/** A field that uploads another picture. */
export const PictureField = ({ hint, ...field }: PictureFieldProps) => (
  <FileField {...field} accept="image/jpeg,image/png,image/webp" hint={`JPEG, PNG or WebP, at most 5 MB. ${hint}`} />
)

/** The form that removes the picture. */
export const RemovePicture = ({ form, label }: { form: string; label: string }) => (
  <Form name={form}>
    <Buttons>
      <Button kind="second">{label}</Button>
    </Buttons>
  </Form>
)
