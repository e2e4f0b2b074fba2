import { enumType } from './enum-type.ts'

export type SortDirection = 'asc' | 'desc'

export const SortDirectionType = enumType('SortDirection', 'Direction of a sort; `DESC` is newest first.', {
  asc: 'asc',
  desc: 'desc',
} satisfies Record<string, SortDirection>)
