import { z } from 'zod'
import type { TimeSettings } from '../../../schema/core/principals.ts'
import { picturePath } from '../../../schema/pictures/picture-url.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Field, Select } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { StrongAddress } from '../../web/components/address.tsx'
import { hasAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { accountPath, emailPath } from '../../web/page-paths.ts'
import { defaultTimes, formatDate, formatDateTime } from '../../web/time-format.ts'
import { file, optionalText, text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { UpdateProfileDocument } from '../generated/operations.ts'
import type { DateFormat } from '../generated/operations.ts'
import { PictureField, pictureScript } from '../picture-field.tsx'
import { EmailState } from './email-section.tsx'
import { TimezoneField, findTimezone } from '../timezone-field.tsx'

const dateFormats = [
  { value: 'DAY_MONTH_YEAR', dateFormat: 'day_month_year' },
  { value: 'MONTH_DAY_YEAR', dateFormat: 'month_day_year' },
  { value: 'YEAR_MONTH_DAY', dateFormat: 'year_month_day' },
] as const satisfies readonly { value: DateFormat; dateFormat: TimeSettings['dateFormat'] }[]

const example = '2026-11-21'

const save = form({
  fields: z.object({ name: text, timezone: optionalText, dateFormat: z.enum(dateFormats.map(({ value }) => value)), picture: file }),
  takesFile: true,
  document: UpdateProfileDocument,
  variables: ({ timezone, picture, ...input }) => ({
    input: { ...input, timezone: findTimezone(timezone), ...(picture !== undefined && { picture }) },
  }),
  notice: 'Your profile was saved.',
})

const removePicture = form({
  fields: z.object({}),
  document: UpdateProfileDocument,
  variables: () => ({ input: { picture: null } }),
  notice: 'Your picture was removed.',
})

/** The form of the button that removes the picture. The button is inside the profile form and refers to this form by name. */
const removePictureForm = 'remove-picture'

/** The page of the signed-in user's name and picture, and of the format of times on pages and in mails. */
export const account = page({
  path: accountPath,
  title: 'Profile',
  nav: { group: 'account', icon: 'person', order: 10 },
  scripts: [pictureScript],
  forms: { save, 'remove-picture': removePicture },
  view(_, { person, site }) {
    const hasPicture = person?.pictureId != null
    const email = person?.user.email ?? ''
    const times = person?.timeSettings ?? defaultTimes
    return (
      <>
        <Form name="save" hasFile>
          <FieldGroup id="you" title="Name and picture" about="The members of your teams see both.">
            <Field name="name" label="Name" autocomplete="name" value={person?.user.name ?? ''} />
            <PictureField
              name="picture"
              label="Picture"
              of="person"
              owner={person?.user.name ?? ''}
              picture={picturePath(person?.pictureId)}
              removeForm={removePictureForm}
            />
          </FieldGroup>
          <FieldGroup id="times" title="Dates and times" about="Pages and emails show times in this time zone, and dates in this format.">
            <TimezoneField value={times.timezone} />
            <Select
              name="dateFormat"
              label="Date format"
              options={dateFormats.map(({ value, dateFormat }) => ({ value, label: formatDate(example, { timezone: null, dateFormat }) }))}
              selected={dateFormats.find(({ dateFormat }) => dateFormat === times.dateFormat)?.value}
              hint={`Pages and emails now show times like this: ${formatDateTime(site.now(), times)}`}
            />
          </FieldGroup>
          <Buttons>
            <Button>Save</Button>
          </Buttons>
        </Form>
        <FieldGroup id="email" title="Email address" about="You sign in with it, and receive emails there.">
          <p>
            <StrongAddress>{email}</StrongAddress> <EmailState email={email} isVerified={person?.user.emailVerified === true} />
          </p>
          <p>
            <a href={emailPath}>{hasAddress(email) ? 'Change it under Sign-in and security' : 'Add an email address'}</a>
          </p>
          {hasPicture && <Form name="remove-picture" id={removePictureForm} />}
        </FieldGroup>
      </>
    )
  },
})
