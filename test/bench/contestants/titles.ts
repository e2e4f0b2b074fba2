/** The hand-written programs that the service is compared with; each is a file of this folder. */
export const titles = {
  'limit-rows': 'limit-rows',
  express: 'Express by hand',
  'bare-oauth': 'bare endpoint',
} as const

export type HandWritten = keyof typeof titles
