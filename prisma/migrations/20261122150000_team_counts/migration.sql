-- The number of rows in the lists of a team, so that a page of a list knows its total without reading the whole list
-- (docs/decisions/pagination.md#kept-counts). A count is the sum of its rows here. No foreign key: it would lock the row of
-- the team, for which a writer could wait.
CREATE TABLE "team_counts" (
    "id" BIGSERIAL NOT NULL,
    "team_id" UUID NOT NULL,
    "list" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "team_counts_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "team_counts_team_id_list_key_idx" ON "team_counts"("team_id", "list", "key");

-- Adds to a count. It takes a row that no other transaction has changed, or else adds one: writers of one team never wait for
-- each other here and cannot deadlock, and there are as many rows as there were writers at the same time.
CREATE FUNCTION "add_to_team_count"(counted_team UUID, counted_list TEXT, counted_key TEXT, difference BIGINT) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    free_row BIGINT;
BEGIN
    SELECT "id" INTO free_row FROM "team_counts"
        WHERE "team_id" = counted_team AND "list" = counted_list AND "key" = counted_key
        LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
        UPDATE "team_counts" SET "count" = "count" + difference WHERE "id" = free_row;
    ELSE
        -- A team that is being deleted has lost its counts before the rows of its lists are counted.
        INSERT INTO "team_counts" ("team_id", "list", "key", "count")
            SELECT counted_team, counted_list, counted_key, difference WHERE EXISTS (SELECT FROM "teams" WHERE "id" = counted_team);
    END IF;
END
$$;

-- One function for each list, because the statements name its columns. They run once per statement, not per row.
CREATE FUNCTION "members_counted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM "add_to_team_count"("team_id", 'members', '', count(*)) FROM new_rows GROUP BY "team_id";
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM "add_to_team_count"("team_id", 'members', '', -count(*)) FROM old_rows GROUP BY "team_id";
    ELSIF TG_OP = 'UPDATE' THEN
        PERFORM "add_to_team_count"("team_id", 'members', '', sum(n)) FROM (
            SELECT "team_id", 1 AS n FROM new_rows UNION ALL SELECT "team_id", -1 FROM old_rows
        ) changed GROUP BY "team_id" HAVING sum(n) <> 0;
    ELSE
        DELETE FROM "team_counts" WHERE "list" = 'members';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION "invoices_counted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM "add_to_team_count"("team_id", 'invoices', coalesce("application"::text, ''), count(*))
            FROM new_rows GROUP BY "team_id", "application";
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM "add_to_team_count"("team_id", 'invoices', coalesce("application"::text, ''), -count(*))
            FROM old_rows GROUP BY "team_id", "application";
    ELSIF TG_OP = 'UPDATE' THEN
        PERFORM "add_to_team_count"("team_id", 'invoices', coalesce("application"::text, ''), sum(n)) FROM (
            SELECT "team_id", "application", 1 AS n FROM new_rows UNION ALL SELECT "team_id", "application", -1 FROM old_rows
        ) changed GROUP BY "team_id", "application" HAVING sum(n) <> 0;
    ELSE
        DELETE FROM "team_counts" WHERE "list" = 'invoices';
    END IF;
    RETURN NULL;
END
$$;

-- A trigger with transition tables has one event. Creating them locks the tables against writers, until the counts of the
-- present rows are written.
CREATE TRIGGER "members_counted_insert" AFTER INSERT ON "members" REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "members_counted"();
CREATE TRIGGER "members_counted_update" AFTER UPDATE ON "members" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "members_counted"();
CREATE TRIGGER "members_counted_delete" AFTER DELETE ON "members" REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "members_counted"();
CREATE TRIGGER "members_counted_truncate" AFTER TRUNCATE ON "members"
    FOR EACH STATEMENT EXECUTE FUNCTION "members_counted"();

CREATE TRIGGER "invoices_counted_insert" AFTER INSERT ON "invoices" REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "invoices_counted"();
CREATE TRIGGER "invoices_counted_update" AFTER UPDATE ON "invoices" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "invoices_counted"();
CREATE TRIGGER "invoices_counted_delete" AFTER DELETE ON "invoices" REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "invoices_counted"();
CREATE TRIGGER "invoices_counted_truncate" AFTER TRUNCATE ON "invoices"
    FOR EACH STATEMENT EXECUTE FUNCTION "invoices_counted"();

-- After the deletions that a deleted team causes in its lists, which wait for other writers of these rows.
CREATE FUNCTION "teams_counts_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "team_counts" WHERE "team_id" IN (SELECT "id" FROM old_rows);
    RETURN NULL;
END
$$;

CREATE TRIGGER "teams_counts_deleted" AFTER DELETE ON "teams" REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "teams_counts_deleted"();

INSERT INTO "team_counts" ("team_id", "list", "key", "count")
    SELECT "team_id", 'members', '', count(*) FROM "members" GROUP BY "team_id"
    UNION ALL
    SELECT "team_id", 'invoices', coalesce("application"::text, ''), count(*) FROM "invoices" GROUP BY "team_id", "application";
