import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Brand } from './brand.ts'
import type { Theme } from './theme.ts'

/** What all pages of a service share: its brand, and the addresses of its stylesheet and images. */
export interface Look {
  brand: Brand
  stylesheetPath: string
  iconPath: string
  /** Null: pages show the initials of the name. */
  logoPath: string | null
}

declare global {
  namespace Express {
    interface Locals {
      /** On the locals of the application. */
      look: Look
    }
  }
}

/** The look in one response. */
interface PageLook extends Look {
  theme: Theme
  /** For error pages: support finds the entries of the log by it. */
  requestId?: string | undefined
}

export const LookContext = createContext<PageLook | null>(null)

/** Returns the look of the page that is being rendered. */
export function useLook(): PageLook {
  const look = useContext(LookContext)
  if (!look) throw new Error('a page is rendered without a look')
  return look
}
