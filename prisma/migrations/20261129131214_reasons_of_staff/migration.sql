-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "reason" TEXT;

-- When an account is erased, the reason of an entry about the account alone is erased like its values, and its address is replaced in others.
DO $$ BEGIN
    EXECUTE replace(pg_get_functiondef('erase_deleted_users(timestamptz, integer)'::regprocedure), '"before" = CASE',
        '"reason" = CASE WHEN e."team_id" IS NOT NULL THEN replace(e."reason", person."email", pseudonym) END,
        "before" = CASE');
END $$;
