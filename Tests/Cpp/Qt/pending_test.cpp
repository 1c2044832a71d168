// Edits that the models for Qt give to the program, and show until they come back.
#include "qt_test.hpp"

using namespace fetchedresults;

namespace {

// A model of tasks whose edits are collected.
struct Sending {
    explicit Sending(bool in_sections = false)
        : store(test::tasks()), list(store, request(in_sections)), model((list.fetch(), make(in_sections))),
          mirror(*model)
    {
    }

    static Request request(bool in_sections)
    {
        Request made("tasks");
        made.sort("title");
        if (in_sections) {
            made.section("list_id");
        }
        return made;
    }
    std::unique_ptr<qt::ItemModel> make(bool in_sections)
    {
        qt::ModelOptions options;
        options.submit = [this](const qt::Edit &edit) {
            edits.push_back(edit);
            return edit.value().toString() != "refused";
        };
        options.on_error = [this](const Error &error) { errors += std::string(error.what()) + "|"; };
        const std::vector<qt::Column> columns = {qt::Column("title").editable(), qt::Column("id"),
                                                 qt::Column("list_id").checkable()};
        if (in_sections) {
            return std::make_unique<qt::TreeModel>(store, list, columns, options);
        }
        return std::make_unique<qt::ListModel>(store, list, columns, options);
    }
    QModelIndex cell(int column = 0) const { return model->index_of({1}).siblingAtColumn(column); }
    // What a cell of the first task shows: "Call", or "Call?" while it waits.
    std::string shown(int column = 0) const
    {
        const std::string text = cell(column).data(Qt::EditRole).toString().toStdString();
        return text + (cell(column).data(qt::pending_role).toBool() ? "?" : "");
    }
    std::string stored() const { return store.object("tasks", {1})->get<std::string>("title"); }

    Store store;
    Controller list;
    std::vector<qt::Edit> edits;
    std::string errors;
    std::unique_ptr<qt::ItemModel> model;
    test::Mirror mirror;
};

} // namespace

// Before: a task is called Call. Change: the user edits it; another column, and then the title,
// comes back. Expected: the cell shows the edit, as pending, until the title comes back.
TEST(an_edit_is_shown_until_its_change_arrives)
{
    test::watch_messages();
    for (const bool in_sections : {false, true}) {
        Sending here(in_sections);
        const std::string before = here.shown();
        CHECK(here.model->setData(here.cell(), "Phone"));
        CHECK_EQUAL(here.edits.size(), std::size_t(1));
        CHECK_EQUAL(std::string(here.edits[0].object().entity()) + " " + here.edits[0].column(), "tasks title");
        CHECK_EQUAL(here.edits[0].object().identity()[0].integer(), 1);
        CHECK_EQUAL(here.shown() + " " + here.shown(1) + " " + here.stored(), "Phone? 1 " + before);
        CHECK(here.mirror.check().find("in 0-0") != std::string::npos);
        here.store.update("tasks", {1}, {{"list_id", 2}});
        CHECK_EQUAL(here.shown(), "Phone?");
        here.store.update("tasks", {1}, {{"title", "Phone"}});
        CHECK_EQUAL(here.shown(), "Phone");
        here.mirror.check();
        CHECK_EQUAL(here.errors, "");
    }
}

TEST(an_edit_ends_with_any_other_value_of_its_column)
{
    test::watch_messages();
    Sending here;
    here.model->setData(here.cell(), " Phone ");
    here.store.update("tasks", {1}, {{"title", "Phone"}});
    CHECK_EQUAL(here.shown(), "Phone");
}

TEST(an_answer_to_an_earlier_edit_leaves_the_later_one)
{
    test::watch_messages();
    Sending here;
    for (const char *title : {"One", "Two", "Three"}) {
        here.model->setData(here.cell(), title);
    }
    here.store.update("tasks", {1}, {{"title", "One"}});
    CHECK_EQUAL(here.shown(), "Three?");
    here.store.update("tasks", {1}, {{"title", "Three"}});
    CHECK_EQUAL(here.shown(), "Three");
    here.mirror.check();
}

TEST(an_edit_that_fails_is_taken_back_and_reported)
{
    test::watch_messages();
    Sending here;
    const std::string before = here.shown();
    here.model->setData(here.cell(), "One");
    here.model->setData(here.cell(), "Two");
    here.mirror.check();
    here.edits[1].fail("the server says no");
    CHECK_EQUAL(here.shown() + " " + here.errors, "One? the server says no|");
    CHECK(here.mirror.check().find("data") == 0);
    here.edits[1].fail("again");
    const qt::Edit copy = here.edits[0];
    copy.finish();
    here.edits[0].fail("again");
    CHECK_EQUAL(here.shown() + " " + here.errors, before + " the server says no|");
    here.mirror.check();
}

TEST(an_edit_that_is_refused_is_not_shown)
{
    test::watch_messages();
    Sending here;
    const std::string before = here.shown();
    CHECK(!here.model->setData(here.cell(), "refused"));
    CHECK(here.model->setData(here.cell(), QString::fromStdString(before)));
    CHECK_EQUAL(here.edits.size(), std::size_t(1));
    CHECK_EQUAL(here.shown(), before);
    here.mirror.check();
}

TEST(a_check_is_an_edit_of_its_column)
{
    test::watch_messages();
    Sending here;
    CHECK(here.model->setData(here.cell(2), Qt::Unchecked, Qt::CheckStateRole));
    CHECK_EQUAL(here.edits[0].column() + here.edits[0].value().toString().toStdString(), "list_id0");
    CHECK_EQUAL(here.cell(2).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
    CHECK(here.cell(2).data(qt::pending_role).toBool());
    here.edits[0].fail("no");
    CHECK_EQUAL(here.cell(2).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
}

TEST(a_role_of_a_column_shows_the_edit)
{
    test::watch_messages();
    Sending here;
    CHECK(here.model->setData(here.cell(1), "Phone", qt::first_column_role));
    CHECK_EQUAL(here.shown(1), "1");
    CHECK_EQUAL(here.cell(1).data(qt::first_column_role).toString().toStdString(), "Phone");
    CHECK_EQUAL(here.shown(1), "1?");
    CHECK(here.model->roleNames()[qt::pending_role] == "pending");
    here.mirror.check();
}

TEST(edits_end_with_their_row_and_with_their_model)
{
    test::watch_messages();
    Sending here;
    here.model->setData(here.cell(), "Phone");
    here.store.execute("DELETE FROM tasks WHERE id = 1");
    here.store.insert("tasks", {{"id", 1}, {"title", "New"}, {"list_id", 1}});
    CHECK_EQUAL(here.shown(), "New");
    here.edits[0].fail("there is no such row");
    here.model->setData(here.cell(), "Two");
    here.mirror.check();
    here.model->close();
    here.edits[1].fail("closed");
    CHECK_EQUAL(here.errors, "there is no such row|");
}

TEST(an_edit_may_outlive_its_model)
{
    test::watch_messages();
    std::vector<qt::Edit> edits;
    {
        Sending here;
        here.model->setData(here.cell(), "Phone");
        edits = here.edits;
    }
    edits[0].fail("gone");
}

TEST(a_drag_is_an_edit_of_the_position)
{
    test::watch_messages();
    Store store = test::tasks();
    store.execute("ALTER TABLE tasks ADD position");
    store.execute("UPDATE tasks SET position = id");
    Controller list(store, Request("tasks").sort("position"));
    list.fetch();
    std::string sent;
    qt::ModelOptions options;
    options.position = "position";
    options.submit = [&](const qt::Edit &edit) {
        sent += edit.column() + edit.value().toString().toStdString() + " ";
        return sent.size() < 20;
    };
    qt::ListModel model(store, list, {"id", "position"}, options);
    const std::string before = test::rows(model);
    CHECK(model.moveRows({}, 0, 1, {}, 2));
    CHECK_EQUAL(sent, "position0 "); // of the row that makes way
    CHECK_EQUAL(test::rows(model), before);
    CHECK(model.index(1, 1).data(qt::pending_role).toBool());
    CHECK(!model.moveRows({}, 3, 1, {}, 0));
}
