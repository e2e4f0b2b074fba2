import type { Request, Response } from 'express'
import { z } from 'zod'
import { readCookie } from '../../http/cookie-header.ts'

/** The value `system` follows the setting of the user's device. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const cookieName = 'theme'
const cookieSeconds = 365 * 86_400

export const themeField = z.enum(themes).catch('system')

/** Returns the theme that the user chose in this browser. */
export const themeOf = (request: Pick<Request, 'headers'>): Theme => themeField.parse(readCookie(request.headers.cookie, cookieName))

/** Saves the theme in a cookie. The cookie is not encrypted, because it contains only the choice. */
export function saveTheme(response: Response, theme: Theme, isSecure: boolean): void {
  response.cookie(cookieName, theme, { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/', maxAge: cookieSeconds * 1000 })
}
