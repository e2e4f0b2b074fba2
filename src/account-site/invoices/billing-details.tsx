import { z } from 'zod'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field, TextArea } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { optionalText, text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { BillingDetailsDocument, UpdateBillingDetailsDocument } from '../generated/operations.ts'

/** Email addresses, one in each line. */
const addresses = text.transform((value) => value.split(/[\s,;]+/).filter(Boolean))

const update = form({
  fields: z.object({ name: optionalText, address: optionalText, vatId: optionalText, recipients: addresses }),
  document: UpdateBillingDetailsDocument,
  variables: (details, ctx) => ({ input: { team: ctx.param('team'), ...details } }),
  notice: () => 'The billing details were saved.',
})

/** The customer on the invoices of a team, and the recipients of emails about them. */
export const billingDetails = page({
  path: '/teams/:team/invoices/billing-details',
  title: 'Billing details',
  nav: { group: 'billing', icon: 'card', order: 20 },
  document: BillingDetailsDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  forms: { update },
  view: ({ team: { name, billingDetails: details } }) => (
    <Form name="update">
      <FieldGroup id="customer" title="Customer" about="All invoices show the current details, earlier ones too.">
        <Field
          name="name"
          label="Company or full name"
          required={false}
          maxLength={255}
          autocomplete="organization"
          value={details.name ?? ''}
          hint={`Without it, invoices show the name of the team, ${name}.`}
        />
        <TextArea
          name="address"
          label="Billing address"
          rows={4}
          required={false}
          value={details.address ?? ''}
          hint="At most six lines, as on an envelope."
        />
        <Field
          name="vatId"
          label="VAT ID"
          required={false}
          maxLength={30}
          autocomplete="off"
          value={details.vatId ?? ''}
          hint="VAT identification number, such as DE123456789."
        />
      </FieldGroup>
      <FieldGroup
        id="emails"
        title="Emails"
        about="Owners and billing members get the emails about new and overdue invoices. Other people can get them, too."
      >
        <TextArea
          name="recipients"
          label="Recipients of invoice emails"
          noun="an email address"
          rows={3}
          required={false}
          value={details.recipients.join('\n')}
          hint="At most five email addresses, one per line. Their emails contain no link to this site."
        />
      </FieldGroup>
      <Buttons>
        <Button>Save</Button>
      </Buttons>
    </Form>
  ),
})
