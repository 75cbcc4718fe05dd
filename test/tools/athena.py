# Checks the table and the queries of infra/athena. sqlglot parses them in the dialect of Athena. DuckDB runs the queries
# over log files as CloudFront delivers them: gzip, one JSON document per line, one folder per hour. The columns of the
# view come from the table, so a wrong name or mapping gives no values. The figures are compared with the lines.
#
#   python athena.py FOLDER FIELD...    FOLDER has the .sql files; the fields are those of the delivery, in order
import datetime
import gzip
import json
import pathlib
import sys
import tempfile

import duckdb
import sqlglot
from sqlglot import exp

folder, fields = pathlib.Path(sys.argv[1]), sys.argv[2:]


def parse(name):
    statements = sqlglot.parse((folder / name).read_text(), read="athena", error_level=sqlglot.ErrorLevel.RAISE)
    (statement,) = [one for one in statements if one is not None]
    return statement


# The table: its columns, their names in the JSON, and the folders of its partitions.
create = parse("create-table.sql")
assert isinstance(create, exp.Create) and create.kind == "TABLE", create
columns = [column.name for column in create.this.expressions]
(partition,) = [one.name for one in create.find(exp.PartitionedByProperty).find_all(exp.ColumnDef)]
settings = {one.name: one.args["value"].name for one in create.find_all(exp.Property) if isinstance(one.this, exp.Literal) and "value" in one.args}
serde = {one.name: one.args["value"].name for one in create.find(exp.SerdeProperties).expressions}
names = {column: serde.get(f"mapping.{column}", column) for column in columns}
assert list(names.values()) == fields, (list(names.values()), fields)
assert create.find(exp.LocationProperty).name == "ACCESS_LOG_LOCATION/"
assert settings["storage.location.template"] == "ACCESS_LOG_LOCATION/${%s}" % partition, settings
assert settings[f"projection.{partition}.format"] == "yyyy/MM/dd/HH", settings

now = datetime.datetime.now(datetime.timezone.utc)


def line(age_hours=1, **given):
    at = now - datetime.timedelta(hours=age_hours)
    values = {
        "date": at.strftime("%Y-%m-%d"),
        "time": at.strftime("%H:%M:%S"),
        "x-edge-request-id": f"id-{len(lines)}==",
        "cache-behavior-path-pattern": "*",
        "cs-method": "GET",
        "sc-status": "200",
        "sc-content-type": "text/markdown;%20charset=utf-8",
        "sc-bytes": "4000",
        "time-taken": "0.010",
        "time-to-first-byte": "0.009",
        "origin-fbl": "-",
        "x-edge-result-type": "Hit",
        "x-edge-detailed-result-type": "Hit",
        **{name.replace("_", "-"): value for name, value in given.items()},
    }
    assert list(values) == fields, list(values)
    lines.append((at, values))


lines = []
post = "/*/status/*"
for number in range(80):
    line(cache_behavior_path_pattern=post, age_hours=number % 48)
for number in range(20):
    line(
        cache_behavior_path_pattern=post,
        origin_fbl="0.200",
        time_to_first_byte="0.250",
        time_taken="0.260",
        x_edge_result_type="Miss",
        x_edge_detailed_result_type="Miss",
    )
for number in range(30):
    line(
        origin_fbl="0.400",
        time_to_first_byte=f"{0.4 + number / 100:.3f}",
        time_taken="0.900",
        sc_bytes="100000000",
        x_edge_result_type="Miss",
        x_edge_detailed_result_type="Miss",
    )
line(x_edge_result_type="RefreshHit", x_edge_detailed_result_type="RefreshHit", origin_fbl="0.050")
failed = {"x_edge_result_type": "Error", "sc_content_type": "application/problem+json"}
for number in range(4):
    line(sc_status="503", origin_fbl="0.100", x_edge_detailed_result_type="OriginError", **failed)
for number in range(3):
    line(sc_status="502", x_edge_detailed_result_type="OriginConnectError", **failed)
for number in range(2):
    line(sc_status="503", **{**failed, "x_edge_result_type": "FunctionExecutionError"}, x_edge_detailed_result_type="FunctionExecutionError")
line(sc_status="403", x_edge_detailed_result_type="Error", **failed)
line(sc_status="000", x_edge_detailed_result_type="ClientCommError", **failed)
line(sc_status="404", x_edge_detailed_result_type="Hit", x_edge_result_type="Hit")
for number in range(500):
    line(age_hours=24 * 8, x_edge_result_type="Miss", x_edge_detailed_result_type="Miss")

root = pathlib.Path(tempfile.mkdtemp())
for at, values in lines:
    place = root / "AWSLogs/111122223333/CloudFront" / at.strftime("%Y/%m/%d/%H")
    place.mkdir(parents=True, exist_ok=True)
    with gzip.open(place / f"E2EXAMPLE.{at:%Y-%m-%d-%H}.0a1b2c3d.gz", "at") as file:
        file.write(json.dumps(values) + "\n")

database = duckdb.connect()
database.execute("SET TimeZone = 'UTC'")
pattern = str(root / "AWSLogs/111122223333/CloudFront/*/*/*/*/*.gz")
json_columns = ", ".join(f"'{name}': 'VARCHAR'" for name in names.values())
selected = ", ".join(f'"{name}" AS "{column}"' for column, name in names.items())
database.execute(
    f"CREATE VIEW access_log AS SELECT {selected}, "
    f"regexp_extract(filename, '(\\d{{4}}/\\d\\d/\\d\\d/\\d\\d)/[^/]*$', 1) AS {partition} "
    f"FROM read_json('{pattern}', format = 'newline_delimited', compression = 'gzip', filename = true, columns = {{{json_columns}}})"
)


def rows(name, **replaced):
    text = parse(name).sql(dialect="duckdb")
    for old, new in replaced.items():
        text = text.replace(old, new)
    result = database.execute(text)
    heads = [column[0] for column in result.description]
    return [dict(zip(heads, row)) for row in result.fetchall()]


def equal(actual, expected):
    assert actual == expected, f"\n  {actual}\n  {expected}"


used = {column.name for name in folder.glob("*.sql") if name.name != "create-table.sql" for column in parse(name.name).find_all(exp.Column)}
equal(sorted(set(columns) - used), [])
equal(used - set(columns) - {partition, "requests", "misses", "gigabytes", "first_byte_p99"}, set())

by_route = {row["route"]: row for row in rows("hit-ratio.sql")}
equal(by_route[post], {"route": post, "requests": 100, "hits": 80, "hit_percent": 80.0})
equal((by_route["*"]["requests"], by_route["*"]["hits"]), (43, 2))

misses = rows("misses.sql")
equal([(row["route"], row["misses"], row["mean_origin_seconds"], row["percent_of_misses"]) for row in misses], [("*", 30, 0.4, 60.0), (post, 20, 0.2, 40.0)])

errors = {(row["layer"], row["status"]): row["requests"] for row in rows("errors.sql")}
equal(
    errors,
    {
        ("origin", "503"): 4,
        ("CloudFront", "502"): 3,
        ("edge function", "503"): 2,
        ("CloudFront", "403"): 1,
        ("caller", "000"): 1,
        ("cache", "404"): 1,
    },
)

data = {(row["route"], row["content_type"].split(";")[0]): row for row in rows("bytes.sql")}
equal((data[(post, "text/markdown")]["requests"], data[(post, "text/markdown")]["mean_kilobytes"]), (100, 4.0))
equal((data[("*", "text/markdown")]["requests"], data[("*", "text/markdown")]["gigabytes"]), (32, 3.0))

slow = rows("slowest.sql")
equal([(row["route"], row["result"], row["requests"]) for row in slow], [("*", "Miss", 30), (post, "Miss", 20), (post, "Hit", 80)])
equal((slow[1]["first_byte_p50"], slow[1]["complete_p99"]), (0.25, 0.26))
assert 0.66 < slow[0]["first_byte_p99"] <= 0.69, slow[0]

(found,) = rows("request.sql", REQUEST_ID="id-80==")
equal((found["sc_status"], found["x_edge_result_type"]), ("200", "Miss"))
print(f"{len(lines)} lines, {len(list(folder.glob('*.sql')))} statements")
