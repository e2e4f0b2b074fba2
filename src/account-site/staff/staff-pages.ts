import type { Download } from '../framework/download.ts'
import type { Page } from '../framework/page.ts'
import { staffAudit, staffAuditEntry, staffAuditFile } from './audit/staff-audit.tsx'
import { staffClient } from './clients/staff-client.tsx'
import { staffClients } from './clients/staff-clients.tsx'
import { staffSearch } from './search.tsx'
import { staffService } from './service/service.tsx'
import { staffTeam } from './teams/staff-team.tsx'

/** The pages of staff. */
export const staffPages: readonly Page[] = [staffSearch, staffTeam, staffClients, staffClient, staffAudit, staffAuditEntry, staffService]

/** The files that staff can download. */
export const staffDownloads: readonly Download[] = [staffAuditFile]
