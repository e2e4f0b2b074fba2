import type { Request, Response } from 'express'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { z } from 'zod'
import { readCookie } from '../../http/cookie-header.ts'
import type { Brand } from './brand.ts'

/** The value `system` follows the setting of the user's device. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const cookieName = 'theme'
const cookieSeconds = 365 * 86_400

export const themeField = z.enum(themes).catch('system')

/** Returns the theme that the user chose in this browser. */
export const readTheme = (request: Pick<Request, 'headers'>): Theme => themeField.parse(readCookie(request.headers.cookie, cookieName))

/** Saves the theme in a cookie. The cookie is not encrypted, because it contains only the choice. */
export function saveTheme(response: Response, theme: Theme, isSecure: boolean): void {
  response.cookie(cookieName, theme, { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/', maxAge: cookieSeconds * 1000 })
}

/** Appearance that all pages of a service share: its brand, and the paths of its stylesheet and images. */
export interface Look {
  brand: Brand
  stylesheetPath: string
  iconPath: string
  /** Path of the logo. If it is null, pages show the initials of the name. */
  logoPath: string | null
}

declare global {
  namespace Express {
    interface Locals {
      /** The look, stored in the locals of the application. */
      look: Look
    }
  }
}

/** The look in one response. */
interface PageLook extends Look {
  theme: Theme
  /** Identifier of the request. Error pages show it, so that support can find the log entries of the request. */
  requestId?: string | undefined
}

export const LookContext = createContext<PageLook | null>(null)

/** Returns the look of the page that is being rendered. */
export function useLook(): PageLook {
  const look = useContext(LookContext)
  if (!look) throw new Error('a page is rendered without a look')
  return look
}
