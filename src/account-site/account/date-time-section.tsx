import { z } from 'zod'
import type { TimeSettings } from '../../../schema/core/context.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Select } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { formatDate } from '../../web/time-format.ts'
import { optionalText } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { UpdateProfileDocument } from '../generated/operations.ts'
import type { DateFormat } from '../generated/operations.ts'
import { TimezoneField, timezoneOf } from '../timezone-field.tsx'

const dateFormats = [
  { value: 'DAY_MONTH_YEAR', dateFormat: 'day_month_year' },
  { value: 'MONTH_DAY_YEAR', dateFormat: 'month_day_year' },
  { value: 'YEAR_MONTH_DAY', dateFormat: 'year_month_day' },
] as const satisfies readonly { value: DateFormat; dateFormat: TimeSettings['dateFormat'] }[]

const example = '2026-11-21'

/** Saves how pages and mails show times to the signed-in user. */
export const preferences = form({
  fields: z.object({ timezone: optionalText, dateFormat: z.enum(dateFormats.map(({ value }) => value)) }),
  document: UpdateProfileDocument,
  variables: ({ timezone, dateFormat }) => ({ input: { timezone: timezoneOf(timezone), dateFormat } }),
  notice: 'Your date and time settings were saved.',
})

/** The form of the time zone and the date format. */
export const DateTimeSection = ({ settings }: { settings: TimeSettings }) => (
  <section>
    <h2>Date and time</h2>
    <Form name="preferences">
      <TimezoneField value={settings.timezone} none="UTC" />
      <Select
        name="dateFormat"
        label="Date format"
        options={dateFormats.map(({ value, dateFormat }) => ({ value, label: formatDate(example, { timezone: null, dateFormat }) }))}
        selected={dateFormats.find(({ dateFormat }) => dateFormat === settings.dateFormat)?.value}
      />
      <Buttons>
        <Button kind="second">Save date and time</Button>
      </Buttons>
    </Form>
  </section>
)
