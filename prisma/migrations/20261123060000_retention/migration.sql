-- What the clean-up looks for. Entries are written in the order of their times, so a summary of each range of pages suffices.
CREATE INDEX "audit_entries_at_idx" ON "audit_entries" USING BRIN ("at");
CREATE INDEX "access_tokens_ended" ON "access_tokens" (least("expires_at", "revoked_at"));
CREATE INDEX "invitations_ended" ON "invitations" (coalesce("answered_at", "expires_at"));

-- Audit entries are still never altered, except by a function that sets this parameter while it runs. It protects against
-- mistakes, not against a user of the database who wants to alter them.
CREATE OR REPLACE FUNCTION "audit_entries_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('audit.maintenance', true) = 'on' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'audit entries are never altered'
        USING ERRCODE = 'restrict_violation', TABLE = 'audit_entries', CONSTRAINT = 'audit_entries_append_only';
END
$$;

-- Deletes the entries from before a time, at most so many. Returns how many.
CREATE FUNCTION "delete_audit_entries"(earliest timestamptz, maximum integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    deleted integer;
BEGIN
    -- Not as a SET clause of the function, which only a superuser may create for such a parameter.
    PERFORM set_config('audit.maintenance', 'on', true);
    DELETE FROM "audit_entries" WHERE "id" = ANY (ARRAY(SELECT "id" FROM "audit_entries" WHERE "at" < earliest LIMIT maximum));
    GET DIAGNOSTICS deleted = ROW_COUNT;
    PERFORM set_config('audit.maintenance', 'off', true);
    RETURN deleted;
END
$$;
