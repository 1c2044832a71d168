// A view that stays where the user has scrolled it, while rows above are inserted and removed.
//
// #include <fetchedresults/qt_scroll_anchor.hpp>, which needs Qt6Widgets or Qt5Widgets.
#ifndef FETCHEDRESULTS_QT_SCROLL_ANCHOR_HPP
#define FETCHEDRESULTS_QT_SCROLL_ANCHOR_HPP

#include <QAbstractItemView>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>
#include <vector>

namespace fetchedresults::qt {

// Keeps the top row of a view in its place while its model inserts, removes and moves rows. If the
// top row is removed or moved, the next one stays. A view that is scrolled to its beginning stays
// there and shows new rows. The view owns the anchor; make it when the view has its model, which
// may be any.
class ScrollAnchor : public QObject {
  public:
    explicit ScrollAnchor(QAbstractItemView *view) : QObject(view), view_(view)
    {
        using Model = QAbstractItemModel;
        const Model *const model = view->model();
        connect(model, &Model::rowsAboutToBeInserted, this, [this] { expect_change(true); });
        connect(model, &Model::rowsAboutToBeRemoved, this, [this](const QModelIndex &parent, int first, int last) {
            // The view has scrolled to the row beside the current one, if that is removed.
            const QModelIndex current = view_->currentIndex();
            if (current.isValid() && current.parent() == parent
                && (current.row() == first - 1 || current.row() == last + 1)) {
                is_scrolled_ = false;
            }
            expect_change(false);
        });
        connect(model, &Model::rowsAboutToBeMoved, this, [this](const QModelIndex &parent, int first, int last) {
            expect_change(true);
            const auto is_moved = [&](const Row &row) {
                return row.index.parent() == parent && row.index.row() >= first && row.index.row() <= last;
            };
            rows_.erase(std::remove_if(rows_.begin(), rows_.end(), is_moved), rows_.end());
        });
        connect(view->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] { note_later(); });
        note();
    }

  private:
    struct Row {
        QPersistentModelIndex index;
        int top; // in pixels
    };

    // Notes the rows in the view. That is done before a change, as a view has none during a
    // removal.
    void note()
    {
        rows_.clear();
        const QScrollBar *const bar = view_->verticalScrollBar();
        if (bar->value() == bar->minimum()) {
            return;
        }
        const QWidget *const viewport = view_->viewport();
        const int x = view_->isRightToLeft() ? viewport->width() - 1 : 0;
        for (int y = 0; y < viewport->height();) {
            const QModelIndex index = view_->indexAt(QPoint(x, y));
            const QRect rect = view_->visualRect(index);
            if (index.isValid()) {
                rows_.push_back({index, rect.top()});
            }
            y = std::max(y, rect.bottom()) + 1;
        }
    }
    void note_later()
    {
        if (!is_changing_ && !std::exchange(is_scrolled_, true)) {
            QTimer::singleShot(0, this, [this] {
                if (std::exchange(is_scrolled_, false)) {
                    note();
                }
            });
        }
    }
    // Has the rows put where they were, when all changes are made that are made in one go.
    // can_note: whether the view has rows now.
    void expect_change(bool can_note)
    {
        if (std::exchange(is_scrolled_, false)) {
            can_note ? note() : rows_.clear();
        }
        if (!std::exchange(is_changing_, true)) {
            QTimer::singleShot(0, this, [this] {
                restore();
                is_changing_ = false;
                note();
            });
        }
    }
    void restore()
    {
        const auto is_there = [](const Row &row) { return row.index.isValid(); };
        const auto row = std::find_if(rows_.begin(), rows_.end(), is_there);
        if (row == rows_.end()) {
            return;
        }
        QScrollBar *const bar = view_->verticalScrollBar();
        // In Qt 5 the scroll bar still has the range of the rows before the change.
        QMetaObject::invokeMethod(view_, "updateGeometries", Qt::DirectConnection);
        view_->scrollTo(row->index, QAbstractItemView::PositionAtTop);
        const auto top = [&] { return view_->visualRect(row->index).top(); };
        if (view_->verticalScrollMode() == QAbstractItemView::ScrollPerPixel) {
            bar->setValue(bar->value() + top() - row->top);
        }
        while (top() < row->top && bar->value() > bar->minimum()) {
            bar->setValue(bar->value() - 1);
        }
    }

    QAbstractItemView *view_;
    std::vector<Row> rows_;
    // Whether the user has scrolled since rows were noted, and whether rows are changing.
    bool is_scrolled_ = false, is_changing_ = false;
};

} // namespace fetchedresults::qt

#endif
