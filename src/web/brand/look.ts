import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Brand } from './brand.ts'
import type { Theme } from './theme.ts'

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
