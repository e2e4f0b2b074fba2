import { enumType } from './enum-type.ts'

export type SortDirection = 'asc' | 'desc'

export const SortDirectionType = enumType('SortDirection', 'Direction of a sort. For times, `DESC` is newest first.', {
  asc: 'Smallest, oldest or first in the alphabet first.',
  desc: 'Largest, newest or last in the alphabet first.',
} satisfies Record<SortDirection, string>)
