import { z } from 'zod'
import { DateFormat } from '../../prisma/generated/client/enums.ts'
import { enumType } from '../builder/enum-type.ts'
import { displayName } from '../core/validation.ts'
import { teamRules } from '../teams/rules.ts'

export const DateFormatType = enumType('DateFormat', 'How dates are written: `21 Nov 2026`, `Nov 21, 2026` or `2026-11-21`.', {
  day_month_year: '`21 Nov 2026`',
  month_day_year: '`Nov 21, 2026`',
  year_month_day: '`2026-11-21`',
} satisfies Record<DateFormat, string>)

/** The properties of an account that its user can change. */
export const profileRules = {
  name: displayName,
  timezone: teamRules.timezone,
  dateFormat: z.enum(DateFormat),
}
