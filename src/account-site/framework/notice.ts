import type { Cookies } from '../../web/cookies.ts'

const cookie = 'notice'

/** Stores the confirmation that the next page shows once. */
export const saveNotice = ({ cookies }: { cookies: Cookies }, notice: string): void => cookies.set(cookie, notice, 60)

export function takeNotice({ cookies }: { cookies: Cookies }): string | undefined {
  const notice = cookies.get(cookie)
  if (notice !== undefined) cookies.clear(cookie)
  return notice
}
